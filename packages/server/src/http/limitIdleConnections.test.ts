import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { randomTopic } from '../testing/startRelay.ts'
import { useRelays } from '../testing/useRelays.ts'
import { limitIdleConnections, maxIdleConnections } from './limitIdleConnections.ts'

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
  // The headers must arrive within 10 s, which is checked every 5 s. The request must arrive within 30 s.
  await expect
    .poll(() => silent.closed() + slow.closed(), { interval: 200, timeout: 25_000 })
    .toBe(count)
})

test('attack: above the limit, the connections that have waited longest are closed', async () => {
  const relay = await start()
  const { closed, sockets } = await attack(relay.port, maxIdleConnections + 300, upgrade)
  await expect.poll(closed).toBeGreaterThanOrEqual(300)
  expect(sockets.slice(0, 100).every(({ destroyed }) => destroyed)).toBe(true)
  expect(sockets.slice(-100).some(({ destroyed }) => destroyed)).toBe(false)
  expect(await msToPublish(relay)).toBeLessThan(1_000)
})

/** A server with low limits. @returns sockets that are connected to it and have sent `head`, oldest first. */
async function openSockets(heads: readonly string[]) {
  const server = createServer((_, response) => response.end('served'))
  limitIdleConnections(server, { max: 2, maxUnread: 6 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  addCleanup(async () => {
    server.closeAllConnections()
    server.close()
  })
  const sockets: Socket[] = []
  for (const head of heads) {
    const accepted = once(server, 'connection')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.setEncoding('utf8').on('error', () => {})
    sockets.push(socket)
    await accepted
    if (head) socket.write(head)
  }
  return sockets
}

test('connections whose requests have not been read are not closed, because all wallets may reconnect at once', async () => {
  const sockets = await openSockets(['', '', '', '', '', ''])
  const served = await Promise.all(
    sockets.map(async (socket) => {
      const data = once(socket, 'data')
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
      return String(await data)
    }),
  )
  expect(served.every((text) => text.includes('served'))).toBe(true)
})

test('attack: above the limit for silent connections, those that have waited longest are closed', async () => {
  const sockets = await openSockets(['', '', '', '', '', '', '', ''])
  await expect
    .poll(() => sockets.map(({ readyState }) => readyState === 'open'))
    .toEqual([false, false, true, true, true, true, true, true])
})

test('attack: above their limit, connections with an incomplete request are closed', async () => {
  const sockets = await openSockets(['', upgrade, upgrade, upgrade, upgrade])
  await expect
    .poll(() => sockets.map(({ readyState }) => readyState === 'open'))
    .toEqual([true, false, false, true, true])
})
