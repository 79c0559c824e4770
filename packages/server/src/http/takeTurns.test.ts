import { EventEmitter, once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setImmediate as iteration } from 'node:timers/promises'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import type { Env } from './access.ts'
import { createTurns } from './createTurns.ts'
import { readBytes } from './input.ts'
import { takeTurns } from './takeTurns.ts'

/** Blocks the event loop. */
function work(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const app = new Hono<Env>()
app.get('/', (c) => {
  work(2)
  return c.text('')
})
app.post('/', async (c) => {
  await readBytes(c, 1_000_000)
  work(2)
  return c.text('')
})

function createServer() {
  const fetch = takeTurns({ config: { trustedProxies: 0 }, turns: createTurns() }, app.fetch)
  return (remoteAddress: string, init: RequestInit, own: Partial<Request> = {}) =>
    fetch(Object.assign(new Request('http://localhost/', init), own), {
      incoming: { headers: init.headers ?? {}, socket: { remoteAddress } },
      outgoing: new EventEmitter(),
    } as unknown as HttpBindings)
}

/** A body that ends in the next iteration of the event loop. */
const lateBody = () =>
  new ReadableStream({
    async start(controller) {
      await iteration()
      controller.enqueue(new Uint8Array(1_000))
      controller.close()
    },
  })

const post = (body: BodyInit, headers = {}) =>
  ({ method: 'POST', body, headers, duplex: 'half' }) as RequestInit

test.each<[string, () => RequestInit]>([
  ['requests', () => ({ method: 'GET' })],
  ['bodies', () => post(lateBody(), { 'content-length': '1000' })],
  ['bodies of unknown length', () => post(lateBody())],
])('attack: expensive %s from one address do not delay another address', async (_, init) => {
  const send = createServer()
  let answered = 0
  const attack = Array.from({ length: 100 }, async () => {
    await send('192.0.2.1', init())
    answered += 1
  })
  expect((await send('192.0.2.2', init())).status).toBe(200)
  expect(answered).toBeLessThan(50)
  await Promise.all(attack)
})

test('a small body is handled without waiting for the next iteration of a loop that is not busy', async () => {
  const send = createServer()
  const order: string[] = []
  const next = iteration().then(() => order.push('iteration'))
  // The body of a Node request whose bytes have arrived is read within an iteration, but that of a `Request` is not.
  const arrayBuffer = () => Promise.resolve(new ArrayBuffer(2))
  const response = await send('192.0.2.1', post('{}', { 'content-length': '2' }), { arrayBuffer })
  order.push('response')
  await next
  expect(response.status).toBe(200)
  expect(order).toEqual(['response', 'iteration'])
})

test('attack: a large body is read in many turns', async () => {
  const send = createServer()
  let parts = 0
  const body = new ReadableStream({
    pull(controller) {
      work(2)
      parts += 1
      if (parts > 100) controller.close()
      else controller.enqueue(new Uint8Array(5_000))
    },
  })
  const attack = send('192.0.2.1', post(body, { 'content-length': '500000' }))
  await iteration()
  await send('192.0.2.2', { method: 'GET' })
  expect(parts).toBeLessThan(60)
  expect((await attack).status).toBe(200)
  expect(parts).toBe(101)
})

test.each([
  ['at its start', () => new Response('no', { status: 413 })],
  [
    'after its first part',
    async (request: Request) => {
      for await (const part of request.body!) if (part.length > 0) break
      return new Response('no', { status: 413 })
    },
  ],
])('attack: a body that is refused %s is discarded in turns', async (_, respond) => {
  // Node reads up to 2 MiB in one iteration. Hono closes a connection whose rest is not discarded within 500 ms.
  const size = 4 * 1024 * 1024
  const turns = createTurns()
  const server = createAdaptorServer({
    fetch: takeTurns({ config: { trustedProxies: 0 }, turns }, respond),
  }) as Server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })
  const [accepted] = (await once(server, 'connection')) as [typeof socket]
  let text = ''
  socket.on('data', (data) => (text += data.toString()))
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`
  socket.write(head)
  socket.write(Buffer.alloc(size))
  let largest = 0
  for (let before = 0; before < head.length + size; before = accepted.bytesRead) {
    expect(accepted.destroyed).toBe(false)
    await iteration()
    largest = Math.max(largest, accepted.bytesRead - before)
  }
  expect(largest).toBeLessThan(512 * 1024)
  // The client can read the response, and the connection serves its next request.
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx')
  await expect.poll(() => text.match(/413 Payload Too Large/g)?.length).toBe(2)
})

/** Starts a server and connects to it. @returns the client's socket, and the text that it has received */
async function connectTo(fetch: Parameters<typeof takeTurns>[1], turns = createTurns()) {
  const server = createAdaptorServer({
    fetch: takeTurns({ config: { trustedProxies: 0 }, turns }, fetch),
  }) as Server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })
  const received = { text: '' }
  socket.on('data', (data) => (received.text += data.toString()))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return { socket, received, closed }
}

const pipelined = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

test('attack: a connection with more than 16 unanswered requests is ended', async () => {
  let handled = 0
  const { socket, received, closed } = await connectTo(async () => {
    handled += 1
    return new Response()
  })
  socket.write(pipelined.repeat(16))
  await expect.poll(() => received.text.match(/200 OK/g)?.length).toBe(16)
  socket.write(pipelined.repeat(16))
  await expect.poll(() => received.text.match(/200 OK/g)?.length).toBe(32)
  socket.write(pipelined.repeat(10_000))
  await closed
  expect(handled).toBeLessThanOrEqual(48)
})

test('attack: a request whose client disconnects before its turn is not handled', async () => {
  const turns = createTurns()
  let handled = 0
  const { socket, closed } = await connectTo(async () => {
    handled += 1
    return new Response()
  }, turns)
  await once(socket, 'connect')
  for (let count = 0; count < 100; count += 1) turns.run('127.0.0.1', () => work(5), 1_000_000)
  socket.write(pipelined)
  await iteration()
  socket.destroy()
  await closed
  // Runs after the request.
  await turns.next('127.0.0.1', 0)
  await turns.next('127.0.0.1', 0)
  expect(handled).toBe(0)
})

test.each(['immediately', 'later'])(
  'a request that is handled %s passes on its failure',
  async (when) => {
    const unhandled: unknown[] = []
    const onUnhandled = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', onUnhandled)
    onTestFinished(() => void process.off('unhandledRejection', onUnhandled))
    const turns = createTurns()
    const failure = new Error('no response')
    const fetch = takeTurns({ config: { trustedProxies: 0 }, turns }, () => Promise.reject(failure))
    const send = () =>
      fetch(new Request('http://localhost/'), {
        incoming: { headers: {}, socket: { remoteAddress: '192.0.2.1' } },
        outgoing: new EventEmitter(),
      } as unknown as HttpBindings)
    if (when === 'later') turns.run('192.0.2.1', () => work(60), 0)
    await expect(send()).rejects.toBe(failure)
    await iteration()
    expect(unhandled).toEqual([])
  },
)
