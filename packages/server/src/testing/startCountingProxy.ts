import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Message = { method: string }

/** Forwards JSON-RPC requests to a node and records their methods, except `eth_chainId`. */
export async function startCountingProxy(url: string) {
  const proxy = {
    url: '',
    methods: [] as string[],
    /** Whether a request with this body gets a 503 instead of being forwarded. */
    refuses: (_body: string) => false,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => void forward(request, response))

  async function forward(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request)
    const calls = [JSON.parse(body) as Message | Message[]].flat()
    proxy.methods.push(...calls.map((it) => it.method).filter((it) => it !== 'eth_chainId'))
    if (proxy.refuses(body)) return void response.writeHead(503).end()
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    response.writeHead(answer.status, headers).end(await answer.text())
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
