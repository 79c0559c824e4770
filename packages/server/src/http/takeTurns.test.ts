import { setImmediate as iteration } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
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
      } as unknown as HttpBindings)
    if (when === 'later') turns.run('192.0.2.1', () => work(60), 0)
    await expect(send()).rejects.toBe(failure)
    await iteration()
    expect(unhandled).toEqual([])
  },
)
