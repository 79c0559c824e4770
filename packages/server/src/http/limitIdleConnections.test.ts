import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { randomTopic } from '../testing/startRelay.ts'
import { useRelays } from '../testing/useRelays.ts'
import { maxIdleConnections } from './limitIdleConnections.ts'

const { addCleanup, start } = useRelays()

/** Number of half-open connections: 500 by default. `GATEFOLD_HALF_OPEN=5000` tests the full attack. */
const count = Number(process.env['GATEFOLD_HALF_OPEN'] ?? 500)

/** Opens this many connections that send `head` and never complete a request. */
async function attack(port: number, amount: number, head: string) {
  const sockets: Socket[] = []
  let closed = 0
  addCleanup(async () => sockets.forEach((socket) => socket.destroy()))
  for (let index = 0; index < amount; index += 1) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).on('close', () => (closed += 1))
    // An unread response must not keep a refused connection open.
    socket.resume()
    sockets.push(socket)
    if (head) socket.write(head)
    if (index % 50 === 49) await once(socket, 'connect')
  }
  return { sockets, closed: () => closed }
}

async function msToPublish(relay: Awaited<ReturnType<typeof start>>) {
  const begin = performance.now()
  const client = await relay.connect()
  expect(await client.publish(randomTopic(), 'x')).toBe(true)
  return performance.now() - begin
}

const upgrade = 'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nX-Slow: '

test('attack: half-open connections do not delay a client, and are closed', async () => {
  const relay = await start()
  const silent = await attack(relay.port, count / 2, '')
  const slow = await attack(relay.port, count / 2, upgrade)
  expect(await msToPublish(relay)).toBeLessThan(1_000)
  // The headers must arrive within 10 s, which is checked every 5 s.
  await expect
    .poll(() => silent.closed() + slow.closed(), { timeout: 20_000, interval: 200 })
    .toBe(count)
}, 40_000)

test('attack: above the limit, the connections that have waited longest are closed', async () => {
  const relay = await start()
  const { closed, sockets } = await attack(relay.port, maxIdleConnections + 300, upgrade)
  await expect.poll(closed, { timeout: 5_000 }).toBeGreaterThanOrEqual(300)
  expect(sockets.slice(0, 100).every(({ destroyed }) => destroyed)).toBe(true)
  expect(sockets.slice(-100).some(({ destroyed }) => destroyed)).toBe(false)
  expect(await msToPublish(relay)).toBeLessThan(1_000)
}, 20_000)
