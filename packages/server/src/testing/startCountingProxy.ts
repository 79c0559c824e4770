import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Message = { id?: unknown; method: string; params?: unknown[] }

/** Forwards JSON-RPC requests to a node, records their methods, except `eth_chainId`, and can change its replies. */
export async function startCountingProxy(url: string) {
  const proxy = {
    url: '',
    methods: [] as string[],
    /** The calls of `methods`, with their parameters. */
    calls: [] as Message[],
    /** Whether a request with this body gets a 503 instead of being forwarded. */
    refuses: (_body: string) => false,
    /** Resolves when a request with this body is forwarded. */
    waits: async (_body: string): Promise<void> => {},
    /** Changes the reply to a call. */
    changes: (reply: unknown, _call: Message): unknown => reply,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => void forward(request, response))

  async function forward(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request)
    const calls = [JSON.parse(body) as Message | Message[]].flat()
    const recorded = calls.filter(({ method }) => method !== 'eth_chainId')
    proxy.methods.push(...recorded.map(({ method }) => method))
    proxy.calls.push(...recorded)
    await proxy.waits(body)
    if (proxy.refuses(body)) return void response.writeHead(503).end()
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
    // The node has ended, as at the end of a test.
    if (!answer) return void response.destroy()
    const replies = JSON.parse(await answer.text()) as unknown
    const changed = Array.isArray(replies)
      ? replies.map((reply, index) => proxy.changes(reply, calls[index]!))
      : proxy.changes(replies, calls[0]!)
    response.writeHead(answer.status, headers).end(JSON.stringify(changed))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
