import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export type RelayRequest = { id: string; method: string; params: Record<string, unknown> }

export type ScriptedRelay = {
  url: string
  /** Every request, in the order it came. */
  requests: RelayRequest[]
  /** The query of every connection. */
  connections: URLSearchParams[]
  /** Ids of the pushes that were acknowledged. */
  acks: unknown[]
  /** Pushes to every socket. */
  push(id: number, data: { topic: string; message: string; attestation?: string }): void
  /** Sends a text as it stands. */
  send(text: string): void
  /** Closes every socket; without a code they are cut. */
  drop(code?: number, reason?: string): void
  close(): Promise<void>
}

/**
 * A relay on a real socket that answers as a test says, for what a sound relay does not do.
 *
 * @param answer - the rest of an answer, `{ result }` or `{ error }`; undefined for none
 * @param greet - called with each new socket
 */
export async function startScriptedRelay(
  answer: (request: RelayRequest) => object | undefined = () => ({ result: true }),
  greet: (socket: WebSocket) => void = () => {},
): Promise<ScriptedRelay> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const relay = {
    requests: [] as RelayRequest[],
    connections: [] as URLSearchParams[],
    acks: [] as unknown[],
  }

  server.on('connection', (socket, request) => {
    relay.connections.push(new URL(request.url ?? '', 'ws://relay').searchParams)
    greet(socket)
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as RelayRequest & { result?: unknown }
      if (message.method === undefined) {
        relay.acks.push(message.id)
        return
      }
      relay.requests.push(message)
      const rest = answer(message)
      if (rest) socket.send(JSON.stringify({ id: message.id, jsonrpc: '2.0', ...rest }))
    })
  })

  function sendAll(text: string) {
    for (const socket of server.clients) socket.send(text)
  }

  return {
    ...relay,
    url: `ws://127.0.0.1:${port}`,
    push(id, data) {
      const params = { id: 'subscription', data: { publishedAt: 1, tag: 0, ...data } }
      sendAll(JSON.stringify({ id, jsonrpc: '2.0', method: 'irn_subscription', params }))
    },
    send: sendAll,
    drop(code, reason) {
      for (const socket of server.clients)
        if (code) socket.close(code, reason)
        else socket.terminate()
    },
    async close() {
      for (const socket of server.clients) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
