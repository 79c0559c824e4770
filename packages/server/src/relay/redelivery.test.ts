import { describe, expect, test } from 'vitest'
import { engines } from '../testing/databases.ts'
import { randomTopic, startRelay } from '../testing/startRelay.ts'
import { useRelays } from '../testing/useRelays.ts'

const { database, start, startWithClock } = useRelays()

describe('timing', () => {
  test('an unacknowledged push is repeated every 30 s, three times', async () => {
    const { relay, clock } = await startWithClock()
    const topic = randomTopic()
    const [app, wallet] = [await relay.connect(), await relay.connect({ acknowledges: false })]
    await wallet.call('irn_subscribe', { topic })
    await app.publish(topic, 'one', { ttl: 3_600 })
    for (let pushes = 1; pushes <= 4; pushes += 1) {
      await expect.poll(() => wallet.messages).toEqual(Array(pushes).fill('one'))
      clock.aheadMs += 29_000
      await app.publish(topic, `still ${pushes}`)
      await expect.poll(() => wallet.messages.at(-1)).toBe(`still ${pushes}`)
      wallet.acknowledge(wallet.pushes.pop()!)
      clock.aheadMs += 1_000
    }
    expect(await relay.metric('gatefold_relay_redelivered_total')).toBe(3)
    // The first message has been repeated three times, so it is not pushed again when the second one is repeated.
    await app.publish(topic, 'two')
    await expect.poll(() => wallet.messages.at(-1)).toBe('two')
    clock.aheadMs += 30_000
    await expect.poll(() => wallet.messages.slice(-2)).toEqual(['two', 'two'])
    expect(wallet.messages).toEqual(['one', 'one', 'one', 'one', 'two', 'two'])
    wallet.acknowledge(wallet.pushes.pop()!)
    wallet.pushes.pop()
    // A client that subscribes again receives the message again.
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.messages).toEqual(Array(5).fill('one'))
    // All pushes of the message have the same request id, so an acknowledgement of any of them counts.
    expect(new Set(wallet.pushes.map(({ id }) => id)).size).toBe(1)
  })

  test.each(engines)(
    'the ttl is clamped to at least 30 s and at most 7 days; expired messages are not delivered (%s)',
    async (engine) => {
      const { relay, clock } = await startWithClock(await database(engine))
      const [short, long] = [randomTopic(), randomTopic()]
      const app = await relay.connect()
      const wallet = await relay.connect({ acknowledges: false })
      // Clamped, not refused.
      expect(await app.publish(short, 'short', { ttl: 1 })).toBe(true)
      expect(await app.publish(long, 'long', { ttl: 2_592_000 })).toBe(true)
      clock.aheadMs = 20_000
      const early = await relay.connect()
      await early.call('irn_subscribe', { topic: short })
      await expect.poll(() => early.messages).toEqual(['short'])
      clock.aheadMs = 31_000
      await wallet.call('irn_batchSubscribe', { topics: [short, long] })
      await expect.poll(() => wallet.messages).toEqual(['long'])
      clock.aheadMs = 7 * 86_400_000 + 1_000
      const late = await relay.connect({ claims: inDays(7) })
      await late.call('irn_subscribe', { topic: long })
      await late.publish(randomTopic(), 'x')
      expect(await late.call('irn_fetchMessages', { topic: long })).toEqual({
        messages: [],
        hasMore: false,
      })
    },
  )

  test('a publish with a ttl of 0 or less is refused, on its own and in a batch', async () => {
    const relay = await start()
    const topic = randomTopic()
    const app = await relay.connect()
    const publish = (ttl: number) => ({ topic, message: `for ${ttl} s`, ttl, tag: 0 })
    const error = {
      code: -32_000,
      message: 'Request handler error: ttl must be more than 0 seconds',
      data: 'TtlTooShort',
    }
    for (const ttl of [0, -1]) {
      expect(await app.request('irn_publish', publish(ttl))).toMatchObject({ error })
      const messages = [publish(300), publish(ttl)]
      expect(await app.request('irn_batchPublish', { messages })).toMatchObject({ error })
    }
    const wallet = await relay.connect()
    expect(await wallet.call('irn_fetchMessages', { topic })).toEqual({
      messages: [],
      hasMore: false,
    })
  })

  test('messages stay in order if the clock is set back during a restart', async () => {
    const config = await database('sqlite')
    const topic = randomTopic()
    const before = await startRelay(config, { now: () => Date.now() + 3_600_000 })
    const app = await before.connect()
    await app.publish(topic, 'one')
    await before.stop()
    const after = await start(config)
    const [again, wallet] = [await after.connect(), await after.connect()]
    await again.publish(topic, 'two')
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.messages).toEqual(['one', 'two'])
  })

  function inDays(days: number) {
    const iat = Math.floor(Date.now() / 1000) + days * 86_400
    return { iat, exp: iat + 86_400 }
  }
})
