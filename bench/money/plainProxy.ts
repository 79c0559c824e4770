/**
 * The baseline for the JSON-RPC proxy: forwards each request to `UPSTREAM`
 * unchanged, over kept-alive connections, without parsing it. Listens on
 * `PORT`; exits on SIGTERM.
 */
import { Agent, createServer, request } from 'node:http'

const upstream = new URL(process.env['UPSTREAM']!)
const agent = new Agent({ keepAlive: true })

createServer((incoming, outgoing) => {
  if (incoming.method !== 'POST') return void outgoing.end('ok')
  const { 'content-length': length, 'content-type': type } = incoming.headers
  const forwarded = request(
    upstream,
    { agent, method: 'POST', headers: { 'content-length': length, 'content-type': type } },
    (response) => {
      outgoing.writeHead(response.statusCode!, response.headers)
      response.pipe(outgoing)
    },
  )
  forwarded.on('error', () => outgoing.destroy())
  incoming.pipe(forwarded)
}).listen(Number(process.env['PORT']), '127.0.0.1')

process.on('SIGTERM', () => process.exit(0))
