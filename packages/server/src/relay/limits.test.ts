import { startRedis, whyNoRedis } from '@gatefold/tests/redis'
import { describe, expect, test } from 'vitest'
import { engines } from '../testing/databases.ts'
import { createRelayIdentity, type Answered, type RelayClient } from '../testing/openRelayClient.ts'
import { randomTopic } from '../testing/startRelay.ts'
import { useRelays } from '../testing/useRelays.ts'

const { addCleanup, database, start, startWithClock } = useRelays()

const stores = [...engines, ...((await whyNoRedis()) ? [] : (['redis'] as const))]

async function storeConfig(store: (typeof stores)[number]) {
  if (store !== 'redis') return database(store)
  const redis = await startRedis()
  addCleanup(() => redis.stop())
  return { redisUrls: [redis.url] }
}

describe('floods', () => {
  test('attack: publishes above the rate limit are delayed; other clients are not affected', async () => {
    const relay = await start()
    const topic = randomTopic()
    const [app, other, wallet] = [
      await relay.connect(),
      await relay.connect(),
      await relay.connect(),
    ]
    await wallet.call('irn_subscribe', { topic })
    const begin = performance.now()
    const texts = Array.from({ length: 90 }, (_, index) => `message ${index}`)
    const flood = Promise.all(texts.map((text) => app.publish(topic, text)))
    await other.publish(randomTopic(), 'x')
    const otherMs = performance.now() - begin
    expect(await flood).toEqual(Array(90).fill(true))
    // 60 in a burst, then 30 at 20 per second.
    expect(performance.now() - begin).toBeGreaterThan(1_400)
    expect(otherMs).toBeLessThan(1_000)
    await expect.poll(() => wallet.messages).toEqual(texts)
  })

  test('attack: a client’s eight sockets share one rate limit; other clients are not affected', async () => {
    const relay = await start()
    const identity = createRelayIdentity()
    const sockets: RelayClient[] = []
    for (let count = 0; count < 8; count += 1) sockets.push(await relay.connect({ identity }))
    const sendBatch = async (client: RelayClient, name: string) => {
      const requests = Array.from({ length: 100 }, (_, index) => ({
        id: index + 1,
        jsonrpc: '2.0',
        method: 'irn_publish',
        params: { topic: randomTopic(), message: `${name} ${index}`, ttl: 300, tag: 0 },
      }))
      const before = client.texts.length
      client.socket.send(JSON.stringify(requests))
      await expect.poll(() => client.texts.length).toBe(before + 1)
      return JSON.parse(client.texts[before]!) as Answered[]
    }
    const begin = performance.now()
    const floods = sockets.map((socket, index) => sendBatch(socket, `${index}`))
    const other = await relay.connect()
    const otherBegin = performance.now()
    expect(await sendBatch(other, 'other')).toHaveLength(100)
    expect(performance.now() - otherBegin).toBeLessThan(4_000)
    const answers = (await Promise.all(floods)).flat()
    expect(performance.now() - begin).toBeLessThan(15_000)
    const refused = answers.filter(({ error }) => error)
    // Batches are handled until the client's debt reaches 20 s: 60 publishes in a burst, then 20 per second.
    expect(answers.length - refused.length).toBe(500)
    for (const { error } of refused)
      expect(error).toMatchObject({ code: 3001, data: 'TooManyRequests' })
  })

  test('keeps the order of delayed publishes', async () => {
    const { relay, clock } = await startWithClock()
    const topic = randomTopic()
    const [app, wallet] = [await relay.connect(), await relay.connect()]
    await wallet.call('irn_subscribe', { topic })
    const texts = Array.from({ length: 66 }, (_, index) => `message ${index}`)
    const sent = texts.map((text) => app.publish(topic, text))
    await expect.poll(() => wallet.messages.length).toBeGreaterThanOrEqual(60)
    // By the clock, the next publish needs no delay, but the timers of earlier publishes have not fired yet.
    clock.aheadMs += 10_000
    sent.push(app.publish(topic, 'last'))
    await Promise.all(sent)
    await expect.poll(() => wallet.messages).toEqual([...texts, 'last'])
  })

  test.each(stores)(
    'attack: a topic holds at most 1,000 messages; other topics are not affected (%s)',
    async (store) => {
      const relay = await start(await storeConfig(store))
      const topic = randomTopic()
      // Uses twenty clients, because the publishes of a single client would be delayed.
      for (let part = 0; part < 20; part += 1) {
        const app = await relay.connect()
        const messages = Array.from({ length: 50 }, (_, index) => ({
          topic,
          message: `${part} ${index}`,
          ttl: 300,
          tag: 0,
        }))
        await app.call('irn_batchPublish', { messages })
      }
      const app = await relay.connect()
      const refused = await app.request('irn_publish', { topic, message: 'more', ttl: 300, tag: 0 })
      expect(refused.error).toMatchObject({ code: -32_000, data: 'MailboxLimitExceeded' })
      expect(await app.publish(topic, '0 0')).toBe(true)
      expect(await app.publish(randomTopic(), 'more')).toBe(true)
      // Acknowledging frees space.
      const wallet = await relay.connect()
      await wallet.call('irn_subscribe', { topic })
      await expect.poll(() => wallet.messages.length).toBe(1_000)
      await expect.poll(() => app.publish(topic, 'more')).toBe(true)
    },
  )

  test('a frame that unsubscribes from 50,000 topics is handled, and other clients are still served', async () => {
    const relay = await start()
    const [flood, other] = [await relay.connect(), await relay.connect()]
    const frame = Array.from({ length: 100 }, (_, id) => ({
      id: String(id),
      jsonrpc: '2.0',
      method: 'irn_batchUnsubscribe',
      params: { subscriptions: Array.from({ length: 500 }, () => ({ topic: randomTopic() })) },
    }))
    flood.socket.send(JSON.stringify(frame))
    await expect.poll(() => flood.texts.length).toBe(1)
    expect(flood.texts[0]).not.toContain('"error"')
    expect(await other.publish(randomTopic(), 'x')).toBe(true)
  })

  test('attack: a frame of invalid topics gets a response of at most 1 MB', async () => {
    const relay = await start()
    const flood = await relay.connect()
    const frame = Array.from({ length: 100 }, (_, id) => ({
      id: 2_000_000_000 + id,
      jsonrpc: '2.0',
      method: 'irn_batchSubscribeBlocking',
      params: { topics: Array(500).fill(0) },
    }))
    flood.socket.send(JSON.stringify(frame))
    await expect.poll(() => flood.texts.length).toBe(1)
    expect(flood.texts[0]).toContain('BatchLimitExceeded')
    expect(flood.texts[0]!.length).toBeLessThan(1_000_000)
  })

  test('attack: a topic holds at most 8 MiB', async () => {
    const relay = await start()
    const topic = randomTopic()
    const app = await relay.connect()
    for (let index = 0; index < 8; index += 1)
      expect(await app.publish(topic, `${index}`.padEnd(1024 * 1024, 'x'))).toBe(true)
    const refused = await app.request('irn_publish', { topic, message: 'more', ttl: 300, tag: 0 })
    expect(refused.error).toMatchObject({ data: 'MailboxLimitExceeded' })
  })

  test.each(stores)(
    'attack: attestations count towards the bytes of a topic (%s)',
    async (store) => {
      const relay = await start(await storeConfig(store))
      const topic = randomTopic()
      const app = await relay.connect()
      const mega = 1024 * 1024
      for (let index = 0; index < 8; index += 1)
        await app.publish(topic, `${index}`.padEnd(mega - (index === 7 ? 8_192 : 0), 'x'))
      const attestation = 'a'.repeat(4_095)
      const publish = async (message: string) =>
        (await app.request('irn_publish', { topic, message, ttl: 300, tag: 0, attestation })).error
      expect(await publish('x')).toBeUndefined()
      expect(await publish('y')).toBeUndefined()
      expect(await publish('z')).toMatchObject({ code: -32_000, data: 'MailboxLimitExceeded' })
      // A later attestation for a stored message is not added either.
      expect(await publish('0'.padEnd(mega, 'x'))).toBeUndefined()
      const reader = await relay.connect()
      const fetched = (await reader.call('irn_fetchMessages', { topic })) as {
        messages: { message: string; attestation?: string | null }[]
      }
      expect(fetched.messages[0]!.message[0]).toBe('0')
      expect(fetched.messages[0]!.attestation ?? null).toBeNull()
      expect(await reader.publish(randomTopic(), 'x')).toBe(true)
    },
  )

  test('attack: an attestation is limited to 4 KiB', async () => {
    const relay = await start()
    const app = await relay.connect()
    const publish = (attestation: string) =>
      app.request('irn_publish', {
        topic: randomTopic(),
        message: 'x',
        ttl: 300,
        tag: 0,
        attestation,
      })
    expect((await publish('x'.repeat(4_096))).result).toBe(true)
    expect((await publish('ü'.repeat(2_049))).error).toMatchObject({
      code: -32_600,
      data: 'PayloadSizeExceeded',
    })
  })

  test.each([
    ['irn_batchSubscribe', 'topics', (topic: string) => topic],
    ['irn_batchUnsubscribe', 'subscriptions', (topic: string) => ({ topic })],
    ['irn_batchFetchMessages', 'topics', (topic: string) => topic],
    ['irn_batchReceive', 'receipts', (topic: string) => ({ topic, messageId: topic })],
  ])('attack: %s above its rate limit is delayed', async (method, list, toEntry) => {
    const relay = await start()
    const [flood, other] = [await relay.connect(), await relay.connect()]
    const params = { [list]: Array.from({ length: 500 }, () => toEntry(randomTopic())) }
    const begin = performance.now()
    const answers = Promise.all(Array.from({ length: 12 }, () => flood.request(method, params)))
    await other.publish(randomTopic(), 'x')
    const otherMs = performance.now() - begin
    for (const { error } of await answers) expect(error).toBeUndefined()
    // 5,000 topics in a burst, then 1,000 at 1,000 per second.
    expect(performance.now() - begin).toBeGreaterThan(900)
    expect(otherMs).toBeLessThan(900)
  })

  test('a message is limited to 1 MiB, and a frame to 4 MiB', async () => {
    const relay = await start()
    const app = await relay.connect()
    const publish = (message: string) =>
      app.request('irn_publish', { topic: randomTopic(), message, ttl: 300, tag: 0 })
    expect((await publish('x'.repeat(1024 * 1024))).result).toBe(true)
    expect((await publish('x'.repeat(1024 * 1024 + 1))).error).toMatchObject({
      code: -32_600,
      data: 'PayloadSizeExceeded',
    })
    app.socket.send('x'.repeat(4 * 1024 * 1024 + 1))
    expect(await app.closed).toMatchObject({ code: 1009 })
  })

  test('a client is limited to 5,000 subscriptions', async () => {
    const relay = await start()
    const identity = createRelayIdentity()
    const client = await relay.connect({ identity })
    const parts = Array.from({ length: 11 }, () => Array.from({ length: 500 }, randomTopic))
    const last = parts.pop()!
    for (const topics of parts) await client.call('irn_batchSubscribe', { topics })
    const refused = await client.request('irn_subscribe', { topic: last[0] })
    expect(refused.error).toMatchObject({ code: -32_000, data: 'SubscriberLimitExceeded' })
    // Subscriptions outlive the socket, and the client can repeat all of them, as official clients do.
    await client.drop()
    const again = await relay.connect({ identity })
    for (const topics of parts)
      expect(await again.call('irn_batchSubscribe', { topics })).toHaveLength(500)
    expect((await again.request('irn_batchSubscribe', { topics: last })).error).toMatchObject({
      data: 'SubscriberLimitExceeded',
    })
  })

  test('parallel requests do not get around the limit on subscriptions', async () => {
    const relay = await start()
    const client = await relay.connect()
    const calls = Array.from({ length: 11 }, () => {
      const topics = Array.from({ length: 500 }, randomTopic)
      // Official clients send each batch four times.
      return Array.from({ length: 4 }, () => client.request('irn_batchSubscribe', { topics }))
    })
    const answers = await Promise.all(calls.map((same) => Promise.all(same)))
    for (const same of answers.slice(0, 10))
      for (const { error } of same) expect(error).toBeUndefined()
    for (const { error } of answers[10]!)
      expect(error).toMatchObject({ data: 'SubscriberLimitExceeded' })
  })
})

describe('fetches', () => {
  /** A message of maximum size, which is twice as long in JSON. */
  const large = '"'.repeat(1024 * 1024)

  test('attack: a frame of 500 fetches gets as many messages as fit into the response', async () => {
    const relay = await start()
    const topic = randomTopic()
    const [app, reader] = [await relay.connect(), await relay.connect()]
    await app.publish(topic, large)
    const frame = Array.from({ length: 500 }, (_, id) => ({
      id: String(id),
      jsonrpc: '2.0',
      method: 'irn_fetchMessages',
      params: { topic },
    }))
    reader.socket.send(JSON.stringify(frame))
    await expect.poll(() => reader.texts.length).toBe(1)
    expect(reader.texts[0]!.length).toBeLessThan(8 * 1024 * 1024)
    const answers = JSON.parse(reader.texts[0]!) as unknown[]
    expect(answers).toHaveLength(500)
    expect(answers[0]).toMatchObject({ result: { messages: [{ message: large }], hasMore: false } })
    // The client can fetch the rest with another request.
    expect(answers.at(-1)).toMatchObject({ result: { messages: [], hasMore: true } })
  })

  test('attack: mailboxes are not read for a client that does not drain its responses', async () => {
    const relay = await start()
    const topic = randomTopic()
    const [app, reader] = [await relay.connect(), await relay.connect()]
    await app.publish(topic, large)
    const answered = () =>
      relay.metric('gatefold_relay_answers_total{method="irn_fetchMessages",outcome="ok"}')
    reader.socket.pause()
    const calls = Array.from({ length: 60 }, () => reader.request('irn_fetchMessages', { topic }))
    await expect.poll(answered).toBeGreaterThan(0)
    for (let last = -1; last !== (await answered()); await app.publish(randomTopic(), 'x'))
      last = (await answered())!
    // The number of bytes that TCP buffers depends on the machine.
    expect(await answered()).toBeLessThan(40)
    reader.socket.resume()
    for (const answer of await Promise.all(calls)) expect(answer.error).toBeUndefined()
  })
})
