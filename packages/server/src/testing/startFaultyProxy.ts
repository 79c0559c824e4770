import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'

/** The behavior of a proxy. */
export type Fault =
  | 'none'
  /** Never responds. */
  | 'hangs'
  /** Responds after two seconds. */
  | 'is slow'
  | 'has the status 429'
  | 'has the status 500'
  /** Has another chain id. */
  | 'serves another chain'
  | 'sends a page'
  /** Closes the connection in the middle of a response. */
  | 'cuts responses'
  /** Sends complete responses with truncated JSON. */
  | 'sends half of the JSON'
  /** Replaces each byte of results of contract calls by `ff`, and prices of gas by the largest number. */
  | 'sends huge numbers'
  /** Results have another type. */
  | 'sends other types'
  | 'sends errors'

type Reply = { id: unknown; result?: unknown; error?: unknown }
type Call = { id: unknown; method: string }

/** How long a slow node takes, in ms. */
const slowMs = 2_000
const maxUint256 = `0x${'f'.repeat(64)}`

/**
 * Starts a proxy in front of a node that simulates faults on command.
 *
 * @param options.chainId - the chain id that it reports; the node's own is not forwarded.
 */
export async function startFaultyProxy(options: { url: string; chainId: number }) {
  const proxy = {
    url: '',
    fault: 'none' as Fault,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => {
    // The node stops, or closes an idle connection, while a request is forwarded.
    forward(request, response).catch(() => request.socket.destroy())
  })

  async function forward(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request)
    const { fault } = proxy
    if (fault === 'hangs') return
    if (fault === 'is slow') await wait(slowMs)
    const status = /^has the status (\d+)$/.exec(fault)?.[1]
    if (status) return void response.writeHead(Number(status)).end('{}')
    if (fault === 'sends a page') return void response.end('<html>Please wait</html>')
    const answer = await fetch(options.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const calls = JSON.parse(body) as Call | Call[]
    const replies = JSON.parse(await answer.text()) as Reply | Reply[]
    const changed = Array.isArray(calls)
      ? calls.map((call, index) => change((replies as Reply[])[index]!, call))
      : change(replies as Reply, calls)
    const json = JSON.stringify(changed)
    if (fault === 'sends half of the JSON') return void response.end(json.slice(0, json.length / 2))
    if (fault === 'cuts responses') {
      response.writeHead(200, { 'content-length': json.length }).write(json.slice(0, 20))
      return void request.socket.destroy()
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(json)
  }

  function change(reply: Reply, { id, method }: Call): Reply {
    const { fault } = proxy
    if (method === 'eth_chainId') {
      const chainId = fault === 'serves another chain' ? 1 : options.chainId
      return { ...reply, result: `0x${chainId.toString(16)}` }
    }
    if (fault === 'sends errors') return { id, error: { code: -32_000, message: 'busy' } }
    if (fault === 'sends other types') return { id, result: { no: [1] } }
    if (fault !== 'sends huge numbers') return reply
    if (method === 'eth_gasPrice' || method === 'eth_estimateGas') return { id, result: maxUint256 }
    if (method !== 'eth_call' || typeof reply.result !== 'string') return reply
    return { id, result: `0x${'f'.repeat(reply.result.length - 2)}` }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
