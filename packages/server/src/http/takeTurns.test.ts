import { setImmediate as iteration } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
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

/** A body that ends in the next iteration of the event loop. */
const lateBody = () =>
  new ReadableStream({
    async start(controller) {
      await iteration()
      controller.enqueue(new Uint8Array(1_000))
      controller.close()
    },
  })

test.each<[string, () => RequestInit]>([
  ['requests', () => ({ method: 'GET' })],
  ['bodies', () => ({ method: 'POST', body: lateBody(), duplex: 'half' }) as RequestInit],
])('attack: expensive %s from one address do not delay another address', async (_, init) => {
  const fetch = takeTurns({ config: { trustedProxies: 0 }, turns: createTurns() }, app.fetch)
  const send = (remoteAddress: string) =>
    fetch(new Request('http://localhost/', init()), {
      incoming: { headers: {}, socket: { remoteAddress } },
    } as unknown as HttpBindings)
  let answered = 0
  const attack = Array.from({ length: 100 }, async () => {
    await send('192.0.2.1')
    answered += 1
  })
  expect((await send('192.0.2.2')).status).toBe(200)
  expect(answered).toBeLessThan(50)
  await Promise.all(attack)
})
