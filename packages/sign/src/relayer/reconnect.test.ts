import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket as NodeSocket, WebSocketServer } from 'ws'
import { createKeychain } from '../crypto/createKeychain.ts'
import { createMemoryStore } from '../storage/createMemoryStore.ts'
import { createManualClock } from '../testing/createManualClock.ts'
import { listen, openRelayer, options, startRelay, topic } from '../testing/relayers.ts'

/** Opens a client with a topic. `waits` are the times in ms from each lost socket to the next attempt. */
async function openSubscribed(relayUrl: string) {
  const clock = createManualClock()
  const subscription = JSON.stringify([{ topic, id: '', relay: {} }])
  const store = createMemoryStore([['wc@2:core:0.3//subscription', subscription]])
  const keychain = await createKeychain({ store, key: 'keys' })
  const waits: number[] = []
  let lostAt = 0
  const client = await openRelayer(relayUrl, {
    clock,
    store,
    keychain: {
      ...keychain,
      relayToken(url, nowMs) {
        if (lostAt > 0) waits.push(nowMs - lostAt)
        return keychain.relayToken(url, nowMs)
      },
    },
  })
  let lost = 0
  client.relayer.onStatus(({ status }) => {
    if (status !== 'offline') return
    lost += 1
    lostAt = clock.now()
  })
  listen(client)
  return { ...client, clock, waits, lost: () => lost }
}

test('a socket that does not open is replaced after 10 s', async () => {
  const sockets = new WebSocketServer({ noServer: true })
  let handshakes = 0
  const server = createServer().on('upgrade', (request, socket, head) => {
    handshakes += 1
    // Accepted, but never answered.
    if (handshakes === 1) socket.on('error', () => {})
    else sockets.handleUpgrade(request, socket, head, () => {})
    onTestFinished(() => void socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { clock, relayer } = await openSubscribed(`ws://127.0.0.1:${port}`)
  await expect.poll(() => handshakes).toBe(1)
  clock.advance(9_999)
  expect(relayer.status().status).toBe('connecting')
  clock.advance(1)
  expect(relayer.status().status).toBe('offline')
  clock.advance(125)
  await expect.poll(() => relayer.status().status).toBe('connected')
})

test('each failure triples the wait until the next attempt, up to 8 s, with a jitter of 25 %', async () => {
  const relay = await startRelay(undefined, (socket) => socket.close(1013))
  const { clock, waits, lost } = await openSubscribed(relay.url)
  const expected = [100, 300, 900, 2_700, 8_000, 8_000]
  for (const count of expected.keys()) {
    await expect.poll(lost).toBe(count + 1)
    clock.advance(10_000)
  }
  const ratios = waits.map((wait, index) => wait / expected[index]!)
  expect(ratios).toHaveLength(expected.length)
  for (const ratio of ratios) {
    expect(ratio).toBeGreaterThan(0.74)
    expect(ratio).toBeLessThan(1.26)
  }
  // Clients that lost the same relay do not all return at the same time. @see docs/threats.md#overload
  expect(new Set(ratios.map((ratio) => ratio.toFixed(3))).size).toBeGreaterThan(1)
})

test('the waits start again from 100 ms once the relay has responded', async () => {
  let failing = true
  const relay = await startRelay(undefined, (socket) => {
    if (failing) socket.close(1013)
  })
  const { clock, relayer, waits, lost } = await openSubscribed(relay.url)
  for (const count of [1, 2, 3]) {
    await expect.poll(lost).toBe(count)
    failing = count < 3
    clock.advance(10_000)
  }
  expect(waits[2]).toBeGreaterThan(600)
  await relayer.publish(topic, 'round trip', options)
  relay.drop()
  await expect.poll(lost).toBe(4)
  clock.advance(10_000)
  expect(waits[3]).toBeLessThan(126)
})

test('a socket that receives no pings is replaced after 35 s, even if nothing was requested', async () => {
  const relay = await startRelay()
  const clock = createManualClock()
  const WebSocket = NodeSocket as unknown as typeof globalThis.WebSocket
  const { relayer } = await openRelayer(relay.url, { clock, WebSocket })
  relayer.preconnect()
  await expect.poll(() => relayer.status().status).toBe('connected')
  clock.advance(20_000)
  relayer.preconnect()
  clock.advance(14_999)
  expect(relayer.status().status).toBe('connected')
  clock.advance(1)
  expect(relayer.status().status).toBe('offline')
})

test('a socket that receives nothing for 120 s is probed, and kept if the relay responds', async () => {
  const relay = await startRelay()
  const { clock, relayer } = await openSubscribed(relay.url)
  await relayer.publish(topic, 'round trip', options)
  const before = relay.requests.length
  clock.advance(120_000)
  await expect.poll(() => relay.requests.length).toBe(before + 1)
  expect(relay.requests.at(-1)).toMatchObject({
    method: 'irn_batchSubscribe',
    params: { topics: [topic] },
  })
  await relayer.publish(topic, 'round trip', options)
  clock.advance(5_000)
  expect(relayer.status().status).toBe('connected')
  expect(relay.connections).toHaveLength(1)
})
