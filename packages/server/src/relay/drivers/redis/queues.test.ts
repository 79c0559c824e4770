import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Channels } from '../../../redis/createChannels.ts'
import type { Redis, ScriptCall } from '../../../redis/openRedis.ts'
import { newMessage, topicsOfOnePartition } from '../../../testing/useRedisDrivers.ts'
import { PartialPublishError } from '../RelayDriver.ts'
import { createRedisDriver } from './createRedisDriver.ts'
import { partitionOf, prefixOf } from './partitions.ts'
import { scripts } from './scripts.ts'

// Uses a double of Redis that fails or responds on demand. The other tests in
// this folder use a real Redis.

const [topic] = topicsOfOnePartition(1) as [string]
const messages = (count: number, publisher: string, text = '') =>
  Array.from({ length: count }, (_, index) =>
    newMessage(topic, `${publisher} ${index} ${text}`, { publisher }),
  )

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Opens a driver. Its commits wait in `pending` until they are resolved or rejected. */
async function open({ shards = 1, shardOf = (_key: string): number => 0 } = {}) {
  const pending: { calls: readonly ScriptCall[]; settle: (error?: Error) => void }[] = []
  const redis = {
    isConnected: true,
    isClosed: false,
    /** Replies to the next sweeps: the number of deleted messages, or an error. */
    sweeps: [] as (number | Error | Promise<number>)[],
    swept: 0,
  }
  const errors: unknown[] = []
  const driver = await createRedisDriver({
    redis: {
      shardCount: shards,
      shardOf,
      isReady: () => redis.isConnected,
      commit: (calls: readonly ScriptCall[]) =>
        new Promise((resolve, reject) => {
          const settle = (error?: Error) => (error ? reject(error) : resolve(calls.map(replyTo)))
          pending.push({ calls, settle })
        }),
      async run(script: unknown, _key: string, ...args: string[]) {
        expect([script, args]).toEqual([scripts.sweep, ['1000', '500']])
        redis.swept += 1
        const reply = (await redis.sweeps.shift()) ?? 0
        if (reply instanceof Error) throw reply
        return reply
      },
      openChannels: async () => ({ close: () => void (redis.isClosed = true) }) as Channels,
    } as Partial<Redis> as Redis,
    now: () => 1_000,
    onMessages: () => {},
    onGap: () => {},
    onError: (error) => void errors.push(error),
  })
  /** Lets the next commit succeed, after it has been sent. @returns who wrote what */
  async function commitNext() {
    await expect.poll(() => pending.length).toBe(1)
    const { calls, settle } = pending.shift()!
    settle()
    return calls.flatMap(writesOf)
  }
  return { driver, redis, errors, pending, commitNext }
}

function replyTo({ script, args }: ScriptCall) {
  if (script === scripts.publishMessages) return Array(countPublished(args)).fill('stored')
  return script === scripts.acknowledge ? [] : 0
}
const countPublished = (args: readonly string[]) => (args.length - 4) / 10

/** The clients of a call and their numbers of messages, receipts or topics, such as `app publishes 2`. */
function writesOf({ script, args }: ScriptCall): string[] {
  const [skipped, size, client, verb] =
    script === scripts.publishMessages
      ? [4, 10, 4, 'publishes']
      : script === scripts.acknowledge
        ? [2, 4, 1, 'acknowledges']
        : [1, 4, 2, 'changes']
  const items = Array.from({ length: (args.length - skipped) / size }, (_, index) =>
    args.slice(skipped + index * size),
  )
  const clients = items.map((item) =>
    // A change names its client as the owner of a set of topics, or as the member of a topic's set.
    verb === 'changes' && item[1]!.startsWith('s:') ? item[1]!.slice(2) : item[client]!,
  )
  const counts = Map.groupBy(clients, (one) => one)
  return [...counts].map(([one, all]) => `${one} ${verb} ${all.length}`)
}

describe('a full commit', () => {
  const receipts = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ topic, id: `${index}` }))
  const topics = topicsOfOnePartition(250)

  test.each([
    ['messages', 'flood publishes 500', (driver: Driver) => driver.publish(messages(500, 'flood'))],
    [
      'receipts',
      'flood acknowledges 500',
      (driver: Driver) => driver.acknowledge('flood', receipts(500)),
    ],
  ])(
    'of %s leaves room for other clients, and its client’s later writes wait',
    async (_, name, flood) => {
      const { driver, commitNext } = await open()
      const writes = [
        flood(driver),
        flood(driver),
        driver.publish(messages(1, 'flood')),
        driver.subscribe('flood', [topic]),
        driver.acknowledge('flood', receipts(1)),
        driver.publish(messages(2, 'app')),
        driver.subscribe('wallet', [topic]),
        driver.acknowledge('tablet', receipts(3)),
      ]
      const first = await commitNext()
      expect(first.toSorted()).toEqual(
        ['app publishes 2', name, 'tablet acknowledges 3', ...changesOf('wallet')].toSorted(),
      )
      expect(await commitNext()).toHaveLength(changesOf('flood').length + 2)
      await Promise.all(writes)
      await driver.close()
    },
  )

  test('attack: is not twice as large because its oldest write has 500 messages', async () => {
    const { driver, commitNext } = await open()
    const writes = [driver.publish(messages(500, 'flood'))]
    for (let client = 0; client < 500; client += 1)
      writes.push(driver.publish(messages(1, `app ${client}`)))
    const counts = (await commitNext()).map((write) => Number(write.split(' ').at(-1)))
    const total = counts.reduce((a, b) => a + b, 0)
    expect(total).toBeGreaterThan(450)
    expect(total).toBeLessThan(570)
    await commitNext()
    expect((await Promise.all(writes)).flat()).toEqual(Array(1_000).fill('stored'))
    await driver.close()
  })

  test('has at most 500 changes of subscriptions', async () => {
    const { driver, commitNext } = await open()
    const writes = [1, 2].map(() => driver.unsubscribe('wallet', topics))
    // In each commit, changes of the topics' sets and of the client's set.
    const half = 'wallet changes 250'
    expect([await commitNext(), await commitNext()]).toEqual([
      [half, half],
      [half, half],
    ])
    await Promise.all(writes)
    await driver.close()
  })
})

type Driver = Awaited<ReturnType<typeof open>>['driver']
const changesOf = (client: string) => [`${client} changes 1`, `${client} changes 1`]

describe('while Redis fails', () => {
  const outage = new Error('offline')

  const large = 'x'.repeat(2 ** 19)
  test.each([
    [1, 64, 'messages', newMessage(topic, large)],
    [2, 32, 'messages', newMessage(topic, large)],
    [2, 32, 'attestations', newMessage(topic, '', { attestation: large })],
  ])(
    'attack: with %i primaries, at most %i MiB of %s wait for each',
    async (shards, mebibytes, _, half) => {
      const { driver, pending } = await open({ shards })
      const refused: string[] = []
      const errors: unknown[] = []
      const write = (name: string, promise: Promise<unknown>) =>
        promise.catch((error: unknown) => {
          refused.push(name)
          errors.push(error)
        })
      const writes = [write('receipt', driver.acknowledge('wallet', [{ topic, id: 'a' }]))]
      for (let index = 1; index <= mebibytes; index += 1)
        writes.push(write(`${index}`, driver.publish([half, half])))
      // The receipt counts 200 bytes, so the last MiB has no room.
      await expect.poll(() => refused).toEqual([`${mebibytes}`])
      expect(errors).toMatchObject([{ outcomes: ['unsent', 'unsent'] }])
      await expect.poll(() => pending.length).toBe(1)
      const closed = driver.close()
      pending[0]!.settle(outage)
      await closed
      await Promise.all(writes)
      expect(refused).toHaveLength(mebibytes + 1)
    },
  )

  test('on one of two primaries, a publish to both reports what the other one has stored', async () => {
    const second = Array.from({ length: 64 }, (_, index) => `${index}`.padStart(64, '0')).find(
      (name) => partitionOf(name) !== partitionOf(topic),
    )!
    const down = prefixOf(partitionOf(topic))
    const { driver, pending } = await open({ shards: 2, shardOf: (key) => (key === down ? 0 : 1) })
    const mixed = [second, topic, second].map((name, index) => newMessage(name, `${index}`))
    const published = driver.publish(mixed).catch((error: unknown) => error)
    await expect.poll(() => pending.length).toBe(2)
    // A closed driver does not retry.
    const closed = driver.close()
    for (const { calls, settle } of pending.splice(0))
      settle(calls[0]!.keys[0] === down ? outage : undefined)
    const error = await published
    expect(error).toBeInstanceOf(PartialPublishError)
    expect(error).toMatchObject({ outcomes: ['stored', undefined, 'stored'] })
    await closed
  })

  test('on one of two primaries, this is reported once, and shown until a commit succeeds', async () => {
    const { driver, redis, errors, pending, commitNext } = await open({ shards: 2 })
    expect(driver.error()).toBeUndefined()
    redis.isConnected = false
    expect(driver.error()).toBe('Redis is unavailable')
    redis.isConnected = true
    expect(driver.error()).toBeUndefined()
    const published = driver.publish(messages(1, 'app'))
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect.poll(() => pending.length).toBe(1)
      pending.shift()!.settle(outage)
      await expect.poll(() => driver.error()).toBe('Redis is unavailable')
    }
    expect(await commitNext()).toEqual(['app publishes 1'])
    expect(await published).toEqual(['stored'])
    expect([driver.error(), errors]).toEqual([undefined, [outage]])
    await driver.close()
  })
})

describe('expired messages are deleted', () => {
  const afterSweeps = async (redis: { swept: number }, count: number) => {
    await expect.poll(() => redis.swept).toBe(count)
    await new Promise(setImmediate)
    expect(redis.swept).toBe(count)
  }

  test('every 30 s in all 64 partitions, in batches of 500, until the driver is closed', async () => {
    const { driver, redis } = await open()
    vi.advanceTimersByTime(29_999)
    await afterSweeps(redis, 0)
    redis.sweeps.push(500, 500, 499)
    vi.advanceTimersByTime(1)
    await afterSweeps(redis, 66)
    vi.advanceTimersByTime(30_000)
    await afterSweeps(redis, 130)
    await driver.close()
    expect(vi.getTimerCount()).toBe(0)
    expect(redis.isClosed).toBe(true)
  })

  test('by one job at a time, for which close() waits', async () => {
    const { driver, redis } = await open()
    const { promise, resolve } = Promise.withResolvers<number>()
    redis.sweeps.push(promise)
    vi.advanceTimersByTime(60_000)
    await afterSweeps(redis, 1)
    const closed = driver.close()
    await new Promise(setImmediate)
    expect(redis.isClosed).toBe(false)
    resolve(0)
    await closed
    expect([redis.swept, redis.isClosed]).toEqual([64, true])
  })

  test('error: after a failure, which is reported, and not while disconnected', async () => {
    const { driver, redis, errors } = await open()
    redis.isConnected = false
    vi.advanceTimersByTime(30_000)
    await afterSweeps(redis, 0)
    redis.isConnected = true
    const error = new Error('offline')
    redis.sweeps.push(error)
    vi.advanceTimersByTime(30_000)
    await expect.poll(() => errors).toEqual([error])
    vi.advanceTimersByTime(30_000)
    await afterSweeps(redis, 65)
    await driver.close()
  })
})
