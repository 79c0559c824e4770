import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export type RelayRequest = { id: string; method: string; params: Record<string, unknown> }

export type ScriptedRelay = {
  url: string
  /** Received requests, in order. */
  requests: RelayRequest[]
  /** The query of every connection. */
  connections: URLSearchParams[]
  /** Ids of acknowledged pushes. */
  acks: unknown[]
  /** Pushes a message to every socket. */
  push(id: number, data: { topic: string; message: string; attestation?: string }): void
  /** Sends raw text to every socket. */
  send(text: string): void
  /** Closes every socket. Without a code, terminates the connections. */
  drop(code?: number, reason?: string): void
  close(): Promise<void>
}

/**
 * Starts a relay on a real socket with scripted responses, to simulate behavior that the real relay does not
 * have.
 *
 * @param respond - returns `{ result }`, `{ error }`, or undefined for no response
 * @param onConnect - called with each new socket
 */
export async function startScriptedRelay(
  respond: (request: RelayRequest) => object | undefined = () => ({ result: true }),
  onConnect: (socket: WebSocket) => void = () => {},
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
    onConnect(socket)
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as RelayRequest & { result?: unknown }
      if (message.method === undefined) {
        relay.acks.push(message.id)
        return
      }
      relay.requests.push(message)
      const response = respond(message)
      if (response) socket.send(JSON.stringify({ id: message.id, jsonrpc: '2.0', ...response }))
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
