import { startRedis, whyNoRedis, type Redis } from '@gatefold/tests/redis'
import { createClient } from '@redis/client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { randomTopic } from '../../../testing/startRelay.ts'
import {
  newMessage,
  readAll,
  topicsOfOnePartition,
  useRedisDrivers,
} from '../../../testing/useRedisDrivers.ts'

// Redis runs one script at a time, and all other clients wait until it ends. How long that takes depends on the
// machine, so the tests count the commands that a script runs.
describe.skipIf(await whyNoRedis())('a script of the driver does a bounded amount of work', () => {
  let redis: Redis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())
  // The driver's sweeps would be counted, too.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())
  const drivers = useRedisDrivers()
  const open = () => drivers.open([redis.url])

  /** The commands that a job causes in Redis, by name. Commands of scripts count too. */
  async function countCommands(job: () => Promise<unknown>) {
    const client = createClient({ url: redis.url })
    await client.connect()
    await client.configResetStat()
    await job()
    const stats = await client.info('commandstats')
    await client.close()
    const counts = new Map(
      Array.from(stats.matchAll(/^cmdstat_(\w+):calls=(\d+)/gm), ([, name, calls]) => [
        name!,
        Number(calls),
      ]),
    )
    return (name: string) => counts.get(name) ?? 0
  }
  /** The commands that read the body of a message. */
  const bodyReads = ['hget', 'hmget', 'hgetall']
  const batch = (topic: string, count: number, name = '') =>
    Array.from({ length: count }, (_, index) => newMessage(topic, `${name} ${index}`))

  test('attack: while 500 messages are published to a topic that holds 8 MiB', async () => {
    const driver = await open()
    const topic = randomTopic()
    for (let digit = 0; digit < 8; digit += 1)
      await driver.publish([newMessage(topic, `${digit}`.repeat(1024 * 1024))])
    let outcomes: string[] = []
    const count = await countCommands(async () => {
      outcomes = await driver.publish(batch(topic, 500))
    })
    expect(bodyReads.map(count)).toEqual([0, 0, 0])
    expect(count('xrange')).toBe(0)
    expect(new Set(outcomes)).toEqual(new Set(['full']))
  })

  test('attack: while a client reads and acknowledges 20 full topics', async () => {
    const driver = await open()
    const topics = topicsOfOnePartition(20)
    for (const topic of topics)
      for (const part of ['a', 'b']) await driver.publish(batch(topic, 500, part))
    const read = { ...readAll('wallet', topics), afterSeq: Number.MAX_SAFE_INTEGER - 1 }
    const receipts = topics.flatMap((topic) => batch(topic, 500, 'a'))
    const count = await countCommands(async () => {
      await Promise.all([
        driver.read(readAll('wallet', topics)),
        driver.read(read),
        ...Array.from({ length: 20 }, (_, index) =>
          driver.acknowledge('wallet', receipts.slice(index * 500, (index + 1) * 500)),
        ),
      ])
    })
    expect(count('xdel')).toBe(10_000)
    expect(count('xdel') / count('evalsha')).toBeLessThanOrEqual(500)
    expect(count('xrange') / count('evalsha')).toBeLessThanOrEqual(500)
  })

  test('attack: while a client reads 50 full topics that it has filled itself', async () => {
    const driver = await open()
    const topics = topicsOfOnePartition(50)
    for (const topic of topics)
      for (const part of ['a', 'b']) await driver.publish(batch(topic, 500, part))
    const count = await countCommands(async () => {
      expect(await driver.read(readAll('app', topics))).toEqual({ messages: [], hasMore: false })
    })
    // Each script stops after the topic with which it has examined more than 1,000 messages.
    expect(count('evalsha')).toBe(25)
  })

  test('attack: while the receipt for a message of 1 MiB is repeated 500 times', async () => {
    const driver = await open()
    const topic = randomTopic()
    const large = newMessage(topic, 'x'.repeat(1024 * 1024))
    await driver.subscribe('other', [topic])
    await driver.publish([large])
    const receipts = Array.from({ length: 500 }, () => large)
    const count = await countCommands(() => driver.acknowledge('wallet', receipts))
    expect(bodyReads.map(count)).toEqual([0, 0, 0])
    expect(count('xrange')).toBe(500)
  })
})
