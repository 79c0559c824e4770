import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { startRedis, whyNoRedis, type Redis } from '@gatefold/tests/redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomTopic } from '../../../testing/startRelay.ts'
import {
  newMessage,
  readAll,
  topicsOfOnePartition,
  useRedisDrivers,
} from '../../../testing/useRedisDrivers.ts'

// The tests are retried, because on a busy machine Redis itself may not run for a while.
describe.skipIf(await whyNoRedis())(
  'another client of Redis waits less than 50 ms',
  { retry: 4 },
  () => {
    let redis: Redis
    beforeAll(async () => {
      redis = await startRedis()
    })
    afterAll(() => redis.stop())
    const drivers = useRedisDrivers()
    const open = () => drivers.open([redis.url])

    /** The longest time until a PING is answered while a job runs, measured in a thread. */
    async function longestPingMs(job: () => Promise<unknown>): Promise<number> {
      const thread = new Worker(new URL('../../../testing/pingThread.ts', import.meta.url), {
        workerData: redis.port,
      })
      await once(thread, 'message')
      await job()
      const answer = once(thread, 'message')
      thread.postMessage('stop')
      const [ms] = (await answer) as [number]
      return ms
    }
    const batch = (topic: string, count: number, name = '') =>
      Array.from({ length: count }, (_, index) => newMessage(topic, `${name} ${index}`))

    test('attack: while 500 messages are published to a topic that holds 8 MiB', async () => {
      const driver = await open()
      const topic = randomTopic()
      for (let digit = 0; digit < 8; digit += 1)
        await driver.publish([newMessage(topic, `${digit}`.repeat(1024 * 1024))])
      let outcomes: string[] = []
      const ms = await longestPingMs(async () => {
        outcomes = await driver.publish(batch(topic, 500))
      })
      expect(ms).toBeLessThan(50)
      expect(new Set(outcomes)).toEqual(new Set(['full']))
    })

    test('attack: while a client reads and acknowledges 20 full topics', async () => {
      const driver = await open()
      const topics = topicsOfOnePartition(20)
      for (const topic of topics)
        for (const part of ['a', 'b']) await driver.publish(batch(topic, 500, part))
      const read = { ...readAll('wallet', topics), afterSeq: Number.MAX_SAFE_INTEGER - 1 }
      const receipts = topics.flatMap((topic) => batch(topic, 500, 'a'))
      const ms = await longestPingMs(async () => {
        await Promise.all([
          driver.read(readAll('wallet', topics)),
          driver.read(read),
          ...Array.from({ length: 20 }, (_, index) =>
            driver.acknowledge('wallet', receipts.slice(index * 500, (index + 1) * 500)),
          ),
        ])
      })
      expect(ms).toBeLessThan(50)
    })

    test('attack: while a client reads 50 full topics that it has filled itself', async () => {
      const driver = await open()
      const topics = topicsOfOnePartition(50)
      for (const topic of topics)
        for (const part of ['a', 'b']) await driver.publish(batch(topic, 500, part))
      const ms = await longestPingMs(async () => {
        expect(await driver.read(readAll('app', topics))).toEqual({ messages: [], hasMore: false })
      })
      expect(ms).toBeLessThan(50)
    })

    test('attack: while the receipt for a message of 1 MiB is repeated 500 times', async () => {
      const driver = await open()
      const topic = randomTopic()
      const large = newMessage(topic, 'x'.repeat(1024 * 1024))
      await driver.subscribe('other', [topic])
      await driver.publish([large])
      const receipts = Array.from({ length: 500 }, () => large)
      expect(await longestPingMs(() => driver.acknowledge('wallet', receipts))).toBeLessThan(50)
    })
  },
)
