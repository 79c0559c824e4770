import { describe, expect, test } from 'vitest'
import { createRelayIdentity, type RelayClient } from '../testing/openRelayClient.ts'
import { randomTopic } from '../testing/startRelay.ts'
import { useRelays } from '../testing/useRelays.ts'

const { start, startWithClock } = useRelays()

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

  test('gets no more pushes, and receives everything once it reads', async () => {
    const { relay } = await startWithClock()
    const reader = await relay.connect()
    await fill(relay, reader)
    reader.socket.resume()
    await expect.poll(() => new Set(reader.messages).size).toBe(32)
    // In order for each topic.
    const numbers = reader.messages.map((text) => Number.parseInt(text, 10))
    for (let topic = 0; topic < 4; topic += 1) {
      const own = numbers.filter((number) => number % 4 === topic)
      expect(own).toEqual(own.toSorted((a, b) => a - b))
    }
  })

  test('is disconnected after 30 s, and receives the rest after it reconnects', async () => {
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
})
