import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Message = { id?: unknown; method: string; params?: unknown[] }

/** The behavior of a test upstream. `only` is text in the bodies that have this status. */
export type Behavior =
  | 'ok'
  | 'hang'
  | 'cut'
  | 'bad_body'
  | 'wrong_id'
  | 'no_batch'
  | 'slow_calls'
  | 'too_large'
  | { status: number; only?: string }
  | { afterMs: number }

/**
 * Starts a local JSON-RPC server that can simulate faults. Unbatched requests for `eth_chainId`, and for
 * `eth_blockNumber` if `head` is set, still work during a fault, except `hang` and `cut`, which affect the whole
 * connection.
 *
 * @param answer - returns the result of a call, or throws `{ code, message }` for a JSON-RPC error.
 */
export async function startUpstream(options: {
  chainId?: number
  /** Result of `eth_blockNumber`. If set, unbatched requests for it are not recorded in `bodies`. */
  head?: number
  answer?: (method: string, params: unknown[]) => unknown
}) {
  const upstream = {
    url: '',
    chainId: options.chainId ?? 1,
    head: options.head,
    behavior: 'ok' as Behavior,
    /** Received bodies, except unbatched `eth_chainId` requests. */
    bodies: [] as string[],
    probes: 0,
    headProbes: 0,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => void handle(request, response))

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const text = Buffer.concat(parts).toString()
    const body = JSON.parse(text) as Message | Message[]
    const isHead =
      upstream.head !== undefined && !Array.isArray(body) && body.method === 'eth_blockNumber'
    const isProbe = isHead || (!Array.isArray(body) && body.method === 'eth_chainId')
    if (isProbe && !isHead) upstream.probes += 1
    else if (isHead) upstream.headProbes += 1
    else upstream.bodies.push(text)
    const { behavior } = upstream
    if (isProbe && behavior !== 'hang' && behavior !== 'cut') return end(response, reply(body))
    if (behavior === 'hang') return
    if (behavior === 'slow_calls' && text.includes('eth_call')) return
    if (behavior === 'cut') {
      response.writeHead(200, { 'content-length': '1000' }).write('{"jsonrpc"')
      request.socket.destroy()
      return
    }
    if (behavior === 'bad_body') return void response.end('<html>busy</html>')
    if (behavior === 'too_large') return void response.end(Buffer.alloc(5 * 1024 * 1024, ' '))
    if (typeof behavior === 'object' && 'status' in behavior && text.includes(behavior.only ?? ''))
      return void response.writeHead(behavior.status).end('{"error":"no"}')
    if (Array.isArray(body) && behavior === 'no_batch')
      return end(response, {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_600, message: 'no batches' },
      })
    if (typeof behavior === 'object' && 'afterMs' in behavior)
      await new Promise((resolve) => setTimeout(resolve, behavior.afterMs))
    // A batch may be answered in any order.
    end(response, Array.isArray(body) ? body.map(reply).toReversed() : reply(body))
  }

  function reply({ id, method, params = [] }: Message) {
    const shown = upstream.behavior === 'wrong_id' && method !== 'eth_chainId' ? 'other' : id
    if (method === 'eth_chainId')
      return { jsonrpc: '2.0', id, result: `0x${upstream.chainId.toString(16)}` }
    if (method === 'eth_blockNumber' && upstream.head !== undefined)
      return { jsonrpc: '2.0', id, result: `0x${upstream.head.toString(16)}` }
    try {
      return { jsonrpc: '2.0', id: shown, result: options.answer?.(method, params) ?? '0x1' }
    } catch (error) {
      return { jsonrpc: '2.0', id: shown, error }
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  upstream.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return upstream
}

function end(response: ServerResponse, body: unknown) {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
}
