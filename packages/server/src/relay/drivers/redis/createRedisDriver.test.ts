import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startRedis, whyNoRedis, type Redis } from '@gatefold/tests/redis'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { randomTopic } from '../../../testing/startRelay.ts'
import {
  newMessage,
  readAll,
  textsOf,
  topicsOfOnePartition,
  useRedisDrivers,
} from '../../../testing/useRedisDrivers.ts'

describe.skipIf(await whyNoRedis())('the relay driver on Redis', () => {
  let redis: Redis
  let time = Date.now()
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())
  const drivers = useRedisDrivers()
  const open = () => drivers.open([redis.url], { now: () => time })

  test('attack: messages that many clients publish at once are committed at most 500 at a time', async () => {
    const driver = await open()
    const client = await createClient({ url: redis.url }).connect()
    onTestFinished(() => client.destroy())
    const commits = async () =>
      Array.from((await client.info('commandstats')).matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g))
        .map(([, calls]) => Number(calls))
        .reduce((sum, calls) => sum + calls, 0)
    const before = await commits()
    const published = topicsOfOnePartition(20).map((topic) =>
      driver.publish(Array.from({ length: 500 }, (_, index) => newMessage(topic, `${index}`))),
    )
    const outcomes = Array(20).fill(Array(500).fill('stored'))
    await expect(Promise.all(published)).resolves.toEqual(outcomes)
    expect((await commits()) - before).toBeGreaterThanOrEqual(20)
  })

  test('unwatched topics use no memory', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const driver = await open()
    const topic = randomTopic()
    const heapAfter = async (times: number) => {
      for (let count = 0; count < times; count += 1) {
        driver.watch([topic])
        driver.unwatch([topic])
        if (count % 500 === 0) await driver.read(readAll('wallet', [topic]))
      }
      await driver.read(readAll('wallet', [topic]))
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = await heapAfter(5_000)
    // A leak of 64 bytes for each of the 50,000 rounds would be 3 MB.
    expect((await heapAfter(50_000)) - before).toBeLessThan(1_500_000)
  })

  /** Opens a driver whose timers the test controls, and another client. */
  async function openWithFakeTimers() {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const driver = await open()
    const client = await createClient({ url: redis.url }).connect()
    onTestFinished(() => client.destroy())
    return { driver, client }
  }

  test('attack: topics that are unwatched and soon watched again remain subscribed', async () => {
    const { driver, client } = await openWithFakeTimers()
    const topics = [randomTopic(), randomTopic()]
    const unsubscribes = async () =>
      Number(/cmdstat_sunsubscribe:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0)
    const subscribed = async () => {
      // The subscription to another topic is in the same round as earlier changes, or a later one.
      const other = randomTopic()
      driver.watch([other])
      await driver.read(readAll('wallet', [other]))
      const channels = await client.pubSubShardChannels()
      return topics.map((topic) => channels.some((channel) => channel.endsWith(topic)))
    }
    driver.watch(topics)
    await driver.read(readAll('wallet', topics))
    const before = await unsubscribes()
    for (let round = 0; round < 10; round += 1) {
      driver.unwatch(topics)
      vi.advanceTimersByTime(4_900)
      await subscribed()
      driver.watch(topics)
      await driver.read(readAll('wallet', topics))
    }
    expect(await unsubscribes()).toBe(before)
    driver.unwatch(topics.slice(1))
    vi.advanceTimersByTime(5_100)
    expect(await subscribed()).toEqual([true, false])
    // The number of unwatched topics that remain subscribed is limited.
    driver.unwatch(topics.slice(0, 1))
    driver.unwatch(Array.from({ length: 49_999 }, (_, index) => `${index}`))
    expect(await subscribed()).toEqual([true, false])
    driver.unwatch(['one more'])
    expect(await subscribed()).toEqual([false, false])
  })

  test('attack: unwatched topics are unsubscribed 500 at a time', async () => {
    const { driver, client } = await openWithFakeTimers()
    const topics = Array.from({ length: 600 }, randomTopic)
    const countSubscribed = async () => {
      // The subscription to another topic is in the same round as earlier changes, or a later one.
      const other = randomTopic()
      driver.watch([other])
      await driver.read(readAll('wallet', [other]))
      const channels = (await client.pubSubShardChannels()).map((channel) => channel.slice(-64))
      return topics.filter((topic) => channels.includes(topic)).length
    }
    driver.watch(topics)
    expect(await countSubscribed()).toBe(600)
    driver.unwatch(topics)
    vi.advanceTimersByTime(4_900)
    expect(await countSubscribed()).toBe(600)
    vi.advanceTimersByTime(100)
    expect(await countSubscribed()).toBe(100)
    vi.advanceTimersByTime(100)
    expect(await countSubscribed()).toBe(0)
  })

  test('notifies every watching process once of each message, in order', async () => {
    const [one, two, unsubscribed] = [await open(), await open(), await open()]
    const topic = randomTopic()
    for (const driver of [one, two]) driver.watch([topic])
    await two.read(readAll('wallet', [topic]))
    const sent = Array.from({ length: 200 }, (_, index) => `${index} ü ]:"`)
    await Promise.all(sent.map((text) => one.publish([newMessage(topic, text)])))
    await expect.poll(() => two.received.length).toBe(200)
    expect(two.received.map(({ message }) => message)).toEqual(sent)
    expect(one.received).toEqual(two.received)
    expect(unsubscribed.received).toEqual([])
    const read = await two.read({ ...readAll('wallet', [topic]), limit: 200 })
    expect(read).toEqual({ messages: two.received, hasMore: false })
    const seqs = two.received.map(({ seq }) => seq)
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b))
    expect(two.received[0]).toEqual({
      ...newMessage(topic, sent[0]!),
      ttlSeconds: undefined,
      seq: seqs[0],
      publishedAt: time,
      expiresAt: time + 300_000,
    })

    two.unwatch([topic])
    await two.read(readAll('wallet', [topic]))
    await one.publish([newMessage(topic, 'later')])
    await expect.poll(() => one.received.length).toBe(201)
    expect(two.received).toHaveLength(200)
  })

  test('delivers the messages of a topic that was unwatched and watched again, but not those of an unwatched topic', async () => {
    const [driver, other] = [await open(), await open()]
    const [watched, unwatched] = [randomTopic(), randomTopic()]
    const received = () => driver.received.map(({ message }) => message)
    driver.watch([watched, unwatched])
    for (let round = 0; round < 5; round += 1) {
      await driver.read(readAll('wallet', [watched]))
      for (let count = 0; count <= round; count += 1) {
        driver.unwatch([watched])
        if (count % 2 === 0) await Promise.resolve()
        driver.watch([watched])
      }
    }
    driver.unwatch([unwatched])
    await driver.read(readAll('wallet', [watched]))
    await other.publish([newMessage(unwatched, 'not delivered')])
    await other.publish([newMessage(watched, 'once more')])
    await expect.poll(received).toEqual(['once more'])
  })

  test('retries a subscription that Redis refuses, without blocking reads', async () => {
    const operator = await createClient({ url: redis.url }).connect()
    onTestFinished(async () => {
      await operator.aclSetUser('default', 'allchannels')
      operator.destroy()
    })
    const driver = await open()
    const topic = randomTopic()
    await driver.publish([newMessage(topic, 'before')])
    await operator.aclSetUser('default', ['resetchannels'])
    driver.watch([topic])
    expect(textsOf(await driver.read(readAll('wallet', [topic])))).toEqual(['before'])
    expect(driver.gaps()).toBe(0)
    await operator.aclSetUser('default', 'allchannels')
    await expect.poll(() => driver.gaps()).toBe(1)
    await driver.publish([newMessage(topic, 'after')])
    await expect.poll(() => driver.received.map(({ message }) => message)).toEqual(['after'])
  })

  test('stores the same text once, and adds a later attestation', async () => {
    const driver = await open()
    const topic = randomTopic()
    driver.watch([topic])
    await driver.read(readAll('wallet', [topic]))
    expect(await driver.publish([newMessage(topic, 'once'), newMessage(topic, 'once')])).toEqual([
      'stored',
      'known',
    ])
    expect(await driver.publish([newMessage(topic, 'once', { attestation: 'jwt' })])).toEqual([
      'known',
    ])
    const { messages } = await driver.read(readAll('wallet', [topic]))
    expect(messages.map(({ attestation }) => attestation)).toEqual(['jwt'])
    expect(driver.received).toHaveLength(1)
  })

  test('a message waits for each client except its publisher until that client acknowledges it', async () => {
    const driver = await open()
    const topic = randomTopic()
    for (const client of ['app', 'wallet', 'tablet']) await driver.subscribe(client, [topic])
    const [first] = [newMessage(topic, 'first'), await driver.publish([newMessage(topic, 'first')])]
    expect(textsOf(await driver.read(readAll('app', [topic])))).toEqual([])
    await driver.acknowledge('app', [first])
    await driver.acknowledge('wallet', [first])
    expect(textsOf(await driver.read(readAll('wallet', [topic])))).toEqual([])
    expect(textsOf(await driver.read(readAll('tablet', [topic])))).toEqual(['first'])
    await driver.acknowledge('tablet', [first, { topic, id: randomTopic() }])
    // All clients have acknowledged the message: its body is deleted, but its id is still known.
    expect(textsOf(await driver.read(readAll('late', [topic])))).toEqual([])
    expect(await driver.publish([first])).toEqual(['known'])
  })

  test('subscriptions last until the client unsubscribes', async () => {
    const topics = [randomTopic(), randomTopic()]
    const driver = await open()
    await driver.subscribe('phone', topics)
    await driver.close()
    const again = await open()
    expect((await again.topicsOf('phone')).toSorted()).toEqual(topics.toSorted())
    await again.unsubscribe('phone', [topics[0]!, randomTopic()])
    expect(await again.topicsOf('phone')).toEqual([topics[1]])
  })

  test('many mailboxes are read in pages, oldest message first across all topics', async () => {
    const driver = await open()
    // The clock is stopped, so the `seq` of earlier tests may be ahead of it.
    time += 1_000
    const topics = Array.from({ length: 60 }, randomTopic)
    const sent: string[] = []
    for (let round = 0; round < 4; round += 1)
      for (const topic of topics) {
        // Messages published in the same millisecond have no order across topics.
        time += 1
        sent.push(`${round} on ${topic}`)
        await driver.publish([newMessage(topic, sent.at(-1)!)])
      }
    const found: string[] = []
    for (let afterSeq = 0, isMore = true; isMore;) {
      const page = await driver.read({ clientId: 'wallet', topics, afterSeq, limit: 100 })
      expect(page.messages.length).toBeLessThanOrEqual(100)
      found.push(...textsOf(page))
      afterSeq = page.messages.at(-1)!.seq
      isMore = page.hasMore
    }
    expect(found).toEqual(sent)
  })

  test('large messages make smaller pages', async () => {
    const driver = await open()
    const topic = randomTopic()
    const sent = Array.from({ length: 5 }, (_, index) => `${index}`.repeat(400_000))
    for (const text of sent) await driver.publish([newMessage(topic, text)])
    const page = await driver.read(readAll('wallet', [topic]))
    expect([page.messages.length, page.hasMore]).toEqual([2, true])
  })

  test('Redis sends only the messages of a page, even if many topics have large messages', async () => {
    const driver = await open()
    time += 1_000
    const topics = Array.from({ length: 60 }, randomTopic)
    const sent = topics.map((_, index) => `${index} `.padEnd(400_000, 'x'))
    for (const [index, text] of sent.entries()) {
      time += 1
      await driver.publish([newMessage(topics[index]!, text)])
    }
    const operator = await createClient({ url: redis.url }).connect()
    onTestFinished(() => operator.destroy())
    const outputBytes = async () =>
      Number(/total_net_output_bytes:(\d+)/.exec(await operator.info('stats'))![1])
    const before = await outputBytes()
    const page = await driver.read(readAll('wallet', topics.toReversed()))
    expect(page).toMatchObject({ hasMore: true })
    expect(textsOf(page)).toEqual(sent.slice(0, 2))
    expect((await outputBytes()) - before).toBeLessThan(1_500_000)
  })

  test('limits a topic’s messages and bytes, not counting expired messages', async () => {
    const driver = await open()
    const topic = randomTopic()
    const many = Array.from({ length: 1_000 }, (_, index) => newMessage(topic, `${index}`))
    expect(new Set(await driver.publish(many))).toEqual(new Set(['stored']))
    expect(await driver.publish([newMessage(topic, '7'), newMessage(topic, 'more')])).toEqual([
      'known',
      'full',
    ])
    const heavy = randomTopic()
    const mega = (digit: number) => newMessage(heavy, `${digit}`.repeat(1024 * 1024))
    for (let digit = 0; digit < 8; digit += 1)
      expect(await driver.publish([mega(digit)])).toEqual(['stored'])
    expect(await driver.publish([newMessage(heavy, 'a drop')])).toEqual(['full'])

    time += 300_000
    expect(textsOf(await driver.read(readAll('wallet', [topic])))).toEqual([])
    expect(await driver.publish([newMessage(topic, 'more'), newMessage(heavy, 'a drop')])).toEqual([
      'stored',
      'stored',
    ])
    expect(textsOf(await driver.read(readAll('wallet', [topic])))).toEqual(['more'])
    expect(await driver.read(readAll('wallet', [heavy]))).toMatchObject({ hasMore: false })
  })

  test('counts waiting messages, their topics and their bytes', async () => {
    const driver = await open()
    time += 8 * 24 * 60 * 60_000
    const before = await driver.stats()
    const topics = [randomTopic(), randomTopic()]
    for (const topic of topics)
      await driver.publish([newMessage(topic, 'ä'), newMessage(topic, 'b')])
    expect(await driver.stats()).toEqual({
      topics: before.topics + 2,
      messages: before.messages + 4,
      bytes: before.bytes + 6,
    })
  })
})
