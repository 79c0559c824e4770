import { afterEach, describe, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createDatabase, engines } from '../testing/databases.ts'
import { createRelayIdentity, type RelayClient } from '../testing/openRelayClient.ts'
import { randomTopic, startRelay } from '../testing/startRelay.ts'
import { startTcpProxy } from '../testing/startTcpProxy.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function start(...args: Parameters<typeof startRelay>) {
  const relay = await startRelay(...args)
  cleanups.push(() => relay.stop())
  return relay
}

async function database(engine: (typeof engines)[number]) {
  const created = await createDatabase(engine)
  cleanups.push(() => created.remove())
  return created.config
}

/** A relay whose clock a test moves. */
async function startWithClock(config: Parameters<typeof startRelay>[0] = {}) {
  const clock = { aheadMs: 0 }
  const relay = await start(config, {
    now: () => Date.now() + clock.aheadMs,
    relayTiming: { pingMs: 25_000, tickMs: 50 },
  })
  return { relay, clock }
}

describe('time', () => {
  test('a push without acknowledgement is repeated after 30 s, three times', async () => {
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
    // What has been pushed often enough is not pushed along with another that has not.
    await app.publish(topic, 'two')
    await expect.poll(() => wallet.messages.at(-1)).toBe('two')
    clock.aheadMs += 30_000
    await expect.poll(() => wallet.messages.slice(-2)).toEqual(['two', 'two'])
    expect(wallet.messages).toEqual(['one', 'one', 'one', 'one', 'two', 'two'])
    wallet.acknowledge(wallet.pushes.pop()!)
    wallet.pushes.pop()
    // Whoever asks again is pushed it again.
    await wallet.call('irn_subscribe', { topic })
    await expect.poll(() => wallet.messages).toEqual(Array(5).fill('one'))
    // And the same request id each time, so that any acknowledgement will do.
    expect(new Set(wallet.pushes.map(({ id }) => id)).size).toBe(1)
  })

  test.each(engines)(
    'a life is clamped to 30 s and 7 days, and what has run out is not delivered (%s)',
    async (engine) => {
      const { relay, clock } = await startWithClock(await database(engine))
      const [short, long] = [randomTopic(), randomTopic()]
      const app = await relay.connect()
      const wallet = await relay.connect({ acknowledges: false })
      // Clamped to 30 s and to 7 days, never refused.
      expect(await app.publish(short, 'short', { ttl: 1 })).toBe(true)
      expect(await app.publish(long, 'long', { ttl: 2_592_000 })).toBe(true)
      clock.aheadMs = 29_000
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

  test('a publish without time to live is refused, alone and in a batch', async () => {
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
      expect(await app.ask('irn_publish', publish(ttl))).toMatchObject({ error })
      const messages = [publish(300), publish(ttl)]
      expect(await app.ask('irn_batchPublish', { messages })).toMatchObject({ error })
    }
    const wallet = await relay.connect()
    expect(await wallet.call('irn_fetchMessages', { topic })).toEqual({
      messages: [],
      hasMore: false,
    })
  })

  test('a clock that was set back while the relay was down does not upset the order', async () => {
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

describe('floods', () => {
  test('too many publishes are delayed, not refused, and others are not', async () => {
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
    // 60 at once, and 30 more at 20 a second.
    expect(performance.now() - begin).toBeGreaterThan(1_400)
    expect(otherMs).toBeLessThan(1_000)
    await expect.poll(() => wallet.messages).toEqual(texts)
  })

  test('what was delayed is not overtaken by what no longer would be', async () => {
    const { relay, clock } = await startWithClock()
    const topic = randomTopic()
    const [app, wallet] = [await relay.connect(), await relay.connect()]
    await wallet.call('irn_subscribe', { topic })
    const texts = Array.from({ length: 66 }, (_, index) => `message ${index}`)
    const sent = texts.map((text) => app.publish(topic, text))
    await expect.poll(() => wallet.messages.length).toBeGreaterThanOrEqual(60)
    // As far as the clock tells everything is paid for; the timers have not run yet.
    clock.aheadMs += 10_000
    sent.push(app.publish(topic, 'last'))
    await Promise.all(sent)
    await expect.poll(() => wallet.messages).toEqual([...texts, 'last'])
  })

  test.each(engines)(
    'a topic holds 1,000 messages, and other topics do not suffer (%s)',
    async (engine) => {
      const relay = await start(await database(engine))
      const topic = randomTopic()
      // Twenty clients, since one would be delayed.
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
      const refused = await app.ask('irn_publish', { topic, message: 'more', ttl: 300, tag: 0 })
      expect(refused.error).toMatchObject({ code: -32_000, data: 'MailboxLimitExceeded' })
      expect(await app.publish(topic, '0 0')).toBe(true)
      expect(await app.publish(randomTopic(), 'more')).toBe(true)
      // Whoever reads makes room.
      const wallet = await relay.connect()
      await wallet.call('irn_subscribe', { topic })
      await expect.poll(() => wallet.messages.length).toBe(1_000)
      await expect.poll(() => app.publish(topic, 'more')).toBe(true)
    },
  )

  test('a frame that unsubscribes 50,000 topics holds up nobody', async () => {
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

  test('a topic holds 8 MiB', async () => {
    const relay = await start()
    const topic = randomTopic()
    const app = await relay.connect()
    for (let index = 0; index < 8; index += 1)
      expect(await app.publish(topic, `${index}`.padEnd(1024 * 1024, 'x'))).toBe(true)
    const refused = await app.ask('irn_publish', { topic, message: 'more', ttl: 300, tag: 0 })
    expect(refused.error).toMatchObject({ data: 'MailboxLimitExceeded' })
  })

  test('a message has 1 MiB, a frame 4 MiB', async () => {
    const relay = await start()
    const app = await relay.connect()
    const publish = (message: string) =>
      app.ask('irn_publish', { topic: randomTopic(), message, ttl: 300, tag: 0 })
    expect((await publish('x'.repeat(1024 * 1024))).result).toBe(true)
    expect((await publish('x'.repeat(1024 * 1024 + 1))).error).toMatchObject({
      code: -32_600,
      data: 'PayloadSizeExceeded',
    })
    app.socket.send('x'.repeat(4 * 1024 * 1024 + 1))
    expect(await app.closed).toMatchObject({ code: 1009 })
  })

  test('a client has 5,000 subscriptions', async () => {
    const relay = await start()
    const identity = createRelayIdentity()
    const client = await relay.connect({ identity })
    const parts = Array.from({ length: 11 }, () => Array.from({ length: 500 }, randomTopic))
    const last = parts.pop()!
    for (const topics of parts) await client.call('irn_batchSubscribe', { topics })
    const refused = await client.ask('irn_subscribe', { topic: last[0] })
    expect(refused.error).toMatchObject({ code: -32_000, data: 'SubscriberLimitExceeded' })
    // It has them still when it is back, and asks for all of them again as official clients do.
    await client.drop()
    const again = await relay.connect({ identity })
    for (const topics of parts)
      expect(await again.call('irn_batchSubscribe', { topics })).toHaveLength(500)
    expect((await again.ask('irn_batchSubscribe', { topics: last })).error).toMatchObject({
      data: 'SubscriberLimitExceeded',
    })
  })

  test('a client has no more subscriptions when it asks for all of them at once', async () => {
    const relay = await start()
    const client = await relay.connect()
    const asked = Array.from({ length: 11 }, () => {
      const topics = Array.from({ length: 500 }, randomTopic)
      // Four times the same, as official clients do.
      return Array.from({ length: 4 }, () => client.ask('irn_batchSubscribe', { topics }))
    })
    const answers = await Promise.all(asked.map((same) => Promise.all(same)))
    for (const same of answers.slice(0, 10))
      for (const { error } of same) expect(error).toBeUndefined()
    for (const { error } of answers[10]!)
      expect(error).toMatchObject({ data: 'SubscriberLimitExceeded' })
  })
})

describe('fetches', () => {
  /** As large as a message may be, and twice that in JSON. */
  const large = '"'.repeat(1024 * 1024)

  test('a frame of 500 is answered as far as there is room', async () => {
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
    // Asked again, it has its turn.
    expect(answers.at(-1)).toMatchObject({ result: { messages: [], hasMore: true } })
  })

  test('who does not read the answers is given no more of them', async () => {
    const relay = await start()
    const topic = randomTopic()
    const [app, reader] = [await relay.connect(), await relay.connect()]
    await app.publish(topic, large)
    const answered = () =>
      relay.metric('gatefold_relay_answers_total{method="irn_fetchMessages",outcome="ok"}')
    reader.socket.pause()
    const asked = Array.from({ length: 100 }, () => reader.ask('irn_fetchMessages', { topic }))
    await expect.poll(answered).toBeGreaterThan(0)
    for (let last = -1; last !== (await answered()); await app.publish(randomTopic(), 'x'))
      last = (await answered())!
    // What the line itself holds depends on the machine.
    expect(await answered()).toBeLessThan(40)
    reader.socket.resume()
    for (const answer of await Promise.all(asked)) expect(answer.error).toBeUndefined()
  })
})

describe('a slow reader', () => {
  /** 32 MiB on four topics for a client that does not read: more than its line can hold. */
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

  test('is pushed nothing more, and gets it all when it reads', async () => {
    const { relay } = await startWithClock()
    const reader = await relay.connect()
    await fill(relay, reader)
    reader.socket.resume()
    await expect.poll(() => new Set(reader.messages).size).toBe(32)
    // Of each topic in order.
    const numbers = reader.messages.map((text) => Number.parseInt(text, 10))
    for (let topic = 0; topic < 4; topic += 1) {
      const own = numbers.filter((number) => number % 4 === topic)
      expect(own).toEqual(own.toSorted((a, b) => a - b))
    }
  })

  test('is sent away after 30 s, and finds the rest when it is back', async () => {
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

test('while the database is away nothing is answered that is not durable, and nothing is lost', async () => {
  const { databaseUrl, dataDir } = await database('postgres')
  const url = new URL(databaseUrl!)
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  cleanups.push(() => proxy.stop())
  url.port = String(proxy.port)
  const relay = await start({ databaseUrl: url.href, dataDir })
  const topic = randomTopic()
  const [app, wallet] = [await relay.connect(), await relay.connect()]
  await wallet.call('irn_subscribe', { topic })
  await app.publish(topic, 'before')
  await expect.poll(() => wallet.messages).toEqual(['before'])

  proxy.cut()
  const answers: string[] = []
  const publish = async (text: string) => {
    await app.publish(topic, text)
    answers.push(text)
  }
  const sent = [publish('one'), publish('two'), publish('one')]
  const health = async () => {
    const response = await fetch(`${relay.httpUrl}/health`)
    return [response.status, ((await response.json()) as { relay: unknown }).relay]
  }
  await expect
    .poll(health)
    .toEqual([503, { status: 'down', connections: 2, trouble: expect.any(String) }])
  expect(answers).toEqual([])
  expect(wallet.messages).toEqual(['before'])
  // A newcomer is asked to come again, not sent away for good.
  const newcomer = await relay.connect()
  expect(await newcomer.closed).toMatchObject({ code: 1013 })

  // What cannot be read is not the caller's fault.
  const fetched = await wallet.ask('irn_fetchMessages', { topic })
  expect(fetched.error).toMatchObject({ code: -32_603, data: 'StorageError' })

  proxy.mend()
  await Promise.all(sent)
  await expect.poll(() => wallet.messages).toEqual(['before', 'one', 'two'])
  await expect.poll(health).toEqual([200, { status: 'up', connections: 2 }])
})

test('a topic that nobody has used answers like one in use', async () => {
  const relay = await start()
  const [used, unused] = [randomTopic(), randomTopic()]
  const [app, scanner] = [await relay.connect(), await relay.connect()]
  await app.call('irn_subscribe', { topic: used })
  await scanner.publish(used, 'x')
  const probe = async (topic: string) => {
    const answers = [
      await scanner.ask('irn_fetchMessages', { topic }, 1),
      await scanner.ask('irn_unsubscribe', { topic, id: 'x' }, 2),
      await scanner.ask('irn_batchReceive', { receipts: [{ topic, messageId: 'x' }] }, 3),
      await scanner.ask('irn_publish', { topic, message: 'y', ttl: 300, tag: 0 }, 4),
    ]
    return JSON.stringify(answers)
  }
  expect(await probe(used)).toBe(await probe(unused))
})

test('no log line holds a topic, a message, a token or a client id', async () => {
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => void lines.push(line) })
  const { databaseUrl, dataDir } = await database('postgres')
  const url = new URL(databaseUrl!)
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  cleanups.push(() => proxy.stop())
  url.port = String(proxy.port)
  const relay = await start({ databaseUrl: url.href, dataDir }, { log })
  const topic = randomTopic()
  const [app, wallet] = [await relay.connect(), await relay.connect()]
  await wallet.call('irn_subscribe', { topic })
  await app.publish(topic, 'a secret message')
  await app.ask('irn_publish', { topic, message: 7 })
  proxy.cut()
  const late = app.publish(topic, 'a later secret')
  await expect.poll(() => lines.join('')).toContain('the message store does not answer')
  proxy.mend()
  await late
  const all = lines.join('')
  for (const secret of [topic.slice(0, 16), 'secret', wallet.clientId.slice(0, 24), 'eyJ'])
    expect(all).not.toContain(secret)
})
