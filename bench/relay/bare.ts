/**
 * The baseline for the relay: a server that fans out the same frames with the same library, but
 * from memory and without checks, storage or delay. Listens on `PORT`; exits on SIGTERM.
 */
import { createServer } from 'node:http'
import { WebSocketServer, type WebSocket } from 'ws'

const subscribers = new Map<string, Set<WebSocket>>()
let lastId = 0

const http = createServer((_, response) => response.end('ok'))
const server = new WebSocketServer({ server: http, perMessageDeflate: false })
server.on('connection', (socket) => {
  const own: string[] = []
  socket.on('error', () => {})
  socket.on('close', () => own.forEach((topic) => subscribers.get(topic)?.delete(socket)))
  socket.on('message', (data) => {
    const { id, method, params } = JSON.parse((data as Buffer).toString()) as {
      id: string
      method?: string
      params: { topic: string; topics: string[]; message: string; tag: number }
    }
    if (method === 'irn_batchSubscribe') {
      for (const topic of params.topics) {
        own.push(topic)
        const others = subscribers.get(topic)
        if (others) others.add(socket)
        else subscribers.set(topic, new Set([socket]))
      }
    }
    if (method === undefined) return
    socket.send(JSON.stringify({ id, jsonrpc: '2.0', result: true }))
    if (method !== 'irn_publish') return
    const { topic, message, tag } = params
    const push = JSON.stringify({
      id: (lastId += 1),
      jsonrpc: '2.0',
      method: 'irn_subscription',
      params: { id: topic, data: { topic, message, publishedAt: Date.now(), tag } },
    })
    for (const other of subscribers.get(topic) ?? []) other.send(push)
  })
})
http.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
