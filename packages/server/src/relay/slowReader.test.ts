import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createRelayIdentity, type RelayClient } from '../testing/openRelayClient.ts'
import { randomTopic } from '../testing/startRelay.ts'
import { useRelays } from '../testing/useRelays.ts'

const { start, startWithClock: startOnClock } = useRelays()

/** Starts a relay with a larger budget per address: 32 messages of 1 MiB would use up the default budget. */
const startWithClock = () => startOnClock({ relayAddressMib: 64 })

describe('a slow reader', () => {
  /** Publishes 32 MiB on four topics to a client that does not read: more than TCP can buffer. */
  async function fill(relay: Awaited<ReturnType<typeof start>>, reader: RelayClient) {
    const topics = Array.from({ length: 4 }, randomTopic)
    await reader.call('irn_batchSubscribe', { topics })
    reader.socket.pause()
    const app = await relay.connect()
    for (let index = 0; index < 32; index += 1)
      await app.publish(topics[index % 4]!, `${index} `.padEnd(1024 * 1024, 'x'))
    await expect
      .poll(() => relay.metric('gatefold_relay_dropped_total{reason="slow_reader"}'))
      .toBeGreaterThan(0)
    return app
  }

  test('gets no more pushes, and receives everything once it reads again', async () => {
    const { relay } = await startWithClock()
    const reader = await relay.connect()
    await fill(relay, reader)
    reader.socket.resume()
    await expect.poll(() => new Set(reader.messages).size).toBe(32)
    // The messages on each topic are in order.
    const numbers = reader.messages.map((text) => Number.parseInt(text, 10))
    for (let topic = 0; topic < 4; topic += 1) {
      const own = numbers.filter((number) => number % 4 === topic)
      expect(own).toEqual(own.toSorted((a, b) => a - b))
    }
  })

  test('attack: is disconnected after 30 s, and receives the rest after it reconnects', async () => {
    const { relay, clock } = await startWithClock()
    const identity = createRelayIdentity()
    const reader = await relay.connect({ identity })
    await fill(relay, reader)
    clock.aheadMs = 31_000
    await expect
      .poll(() => relay.metric('gatefold_relay_dropped_total{reason="slow_socket"}'))
      .toBe(1)
    reader.socket.resume()
    expect(await reader.closed).toMatchObject({ code: 1013 })
    const again = await relay.connect({ identity })
    await expect.poll(() => new Set([...reader.messages, ...again.messages]).size).toBe(32)
  })

  test('attack: is disconnected even if a newer socket of the same client reads', async () => {
    const { relay, clock } = await startWithClock()
    const identity = createRelayIdentity()
    const old = await Promise.all([relay.connect({ identity }), relay.connect({ identity })])
    for (const { socket } of old) socket.pause()
    const reader = await relay.connect({ identity })
    const topic = randomTopic()
    await reader.call('irn_subscribe', { topic })
    const app = await relay.connect()
    for (let index = 0; index < 20; index += 1)
      await app.publish(topic, `${index} `.padEnd(1024 * 1024, 'x'))
    await expect.poll(() => reader.messages.length).toBe(20)
    clock.aheadMs = 31_000
    await expect
      .poll(() => relay.metric('gatefold_relay_dropped_total{reason="slow_socket"}'))
      .toBe(2)
    for (const { socket } of old) socket.resume()
    expect(await Promise.all(old.map(({ closed }) => closed))).toMatchObject([
      { code: 1013 },
      { code: 1013 },
    ])
    expect(reader.socket.readyState).toBe(reader.socket.OPEN)
  })

  test('attack: with 20 sockets keeps only eight of them', async () => {
    const { relay } = await startWithClock()
    const identity = createRelayIdentity()
    const topic = randomTopic()
    const app = await relay.connect()
    for (let index = 0; index < 8; index += 1)
      await app.publish(topic, `${index} `.padEnd(1024 * 1024 - 2, 'x'))
    for (let index = 0; index < 20; index += 1) {
      const socket = await relay.connect({ identity })
      await socket.call('irn_subscribe', { topic })
      socket.socket.pause()
    }
    await expect
      .poll(() => relay.metric('gatefold_relay_dropped_total{reason="extra_socket"}'))
      .toBe(12)
    await expect.poll(() => relay.metric('gatefold_relay_connections')).toBe(9)
    // Another client keeps its socket.
    expect(await app.publish(randomTopic(), 'x')).toBe(true)
  })
})

describe('a slow sender', () => {
  test('attack: is disconnected if its message does not end, even though it answers pings', async () => {
    const relay = await start({}, { relayTiming: { pingMs: 200, tickMs: 50 } })
    const [slow, other] = [await relay.connect(), await relay.connect()]
    slow.socket.send('['.padEnd(100_000), { fin: false })
    await expect.poll(() => slow.socket.readyState).toBe(slow.socket.CLOSED)
    expect(await other.publish(randomTopic(), 'x')).toBe(true)
  })

  test('stays connected if its large message ends in time', async () => {
    const relay = await start({}, { relayTiming: { pingMs: 500, tickMs: 50 } })
    const client = await relay.connect()
    for (let index = 0; index < 4; index += 1) {
      client.socket.send(' '.repeat(100_000), { fin: false })
      // The relay has checked the unfinished message once.
      await once(client.socket, 'ping')
      client.socket.send('{"id":"1","jsonrpc":"2.0","method":"irn_unknown"}', { fin: true })
    }
    await expect.poll(() => client.texts.length).toBe(4)
  })
})

test('a client with eight sockets may open another one, which replaces the oldest', async () => {
  const relay = await start()
  const identity = createRelayIdentity()
  const sockets: RelayClient[] = []
  for (let index = 0; index < 9; index += 1) sockets.push(await relay.connect({ identity }))
  expect(await sockets[0]!.closed).toMatchObject({ code: 1013 })
  const topic = randomTopic()
  await sockets[8]!.call('irn_subscribe', { topic })
  await (await relay.connect()).publish(topic, 'x')
  for (const socket of sockets.slice(1)) await expect.poll(() => socket.messages).toEqual(['x'])
})
