import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { WebSocketServer, type WebSocket } from 'ws'
import { answer, stringify } from './answer.ts'
import { createLedger } from './createLedger.ts'
import { methods } from './methods.ts'
import { createSubscriptions } from './subscriptions.ts'

const host = '127.0.0.1'
const maxBodyBytes = 1024 * 1024
/** Interval at which an empty block is added; as on the public clusters. */
const slotMs = 400
/** How many pairs of ports are tried. */
const attempts = 20

export type SolanaServer = { port: number; stop(): Promise<void> }

/**
 * Serves a new chain: JSON-RPC over HTTP on a port, and over WebSocket on that
 * port and on the next, which clients use by default.
 *
 * @param options.port - the port; with 0, any free pair
 * @throws if one of the two ports is in use (`EADDRINUSE`)
 */
export async function serveSolana({ port = 0 }: { port?: number } = {}): Promise<SolanaServer> {
  const ledger = createLedger()
  await ledger.fill()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes })
  sockets.on('connection', (socket: WebSocket) => {
    const subscriptions = createSubscriptions(ledger, (method, result, subscription) =>
      socket.send(stringify({ jsonrpc: '2.0', method, params: { result, subscription } })),
    )
    socket.on('message', (data: Buffer) => {
      void answer(data.toString(), (name) => pick(subscriptions.methods, name)).then((text) => {
        if (text !== undefined) socket.send(text)
      })
    })
    socket.once('close', () => subscriptions.stop())
    socket.on('error', () => {})
  })

  const respond = (request: IncomingMessage, response: ServerResponse) => {
    void handle(request, response, (name) => {
      const method = pick(methods, name)
      return method && ((params) => method(ledger, params))
    })
  }
  const servers = await listenOnPair(port, () => {
    const server = createServer(respond)
    server.on('upgrade', (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (one) =>
        sockets.emit('connection', one, request),
      ),
    )
    return server
  })
  const timer = setInterval(() => ledger.tick(), slotMs)
  return {
    port: portOf(servers[0]!),
    async stop() {
      clearInterval(timer)
      for (const socket of sockets.clients) socket.terminate()
      await Promise.all(servers.map(close))
    },
  }
}

function pick<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  find: Parameters<typeof answer>[1],
) {
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'content-type, solana-client',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
  }
  const send = (status: number, text = '', type = 'text/plain') =>
    response.writeHead(status, { ...headers, 'content-type': type }).end(text)
  if (request.method === 'OPTIONS') return send(204)
  if (request.method === 'GET' && request.url === '/health') return send(200, 'ok')
  if (request.method !== 'POST')
    return send(405, 'Used HTTP Method is not allowed. POST or OPTIONS is required')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBodyBytes) return send(413, 'The request is too large.')
    chunks.push(chunk)
  }
  const text = await answer(Buffer.concat(chunks).toString(), find)
  return text === undefined ? send(204) : send(200, text, 'application/json')
}

/** Listens on a port and the next one. */
async function listenOnPair(wanted: number, create: () => Server): Promise<Server[]> {
  for (let attempt = 1; ; attempt++) {
    const first = await listen(create(), wanted)
    try {
      return [first, await listen(create(), portOf(first) + 1)]
    } catch (error) {
      await close(first)
      if (wanted !== 0 || attempt >= attempts) throw error
    }
  }
}

function listen(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

function portOf(server: Server): number {
  return (server.address() as { port: number }).port
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
