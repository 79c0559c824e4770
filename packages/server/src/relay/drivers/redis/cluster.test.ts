import { createHash, randomBytes } from 'node:crypto'
import { whyNoRedis } from '@gatefold/tests/redis'
import { startRedisCluster, type RedisCluster } from '@gatefold/tests/redisCluster'
import { createClient } from '@redis/client'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openRedis } from '../../../redis/openRedis.ts'
import { slotOf } from '../../../redis/slotOf.ts'
import type { NewMessage, StoredMessage } from '../RelayDriver.ts'
import { createRedisDriver } from './createRedisDriver.ts'
import { partitionOf, prefixOf } from './partitions.ts'

const hex = () => randomBytes(32).toString('hex')

function message(topic: string, text: string): NewMessage {
  return {
    topic,
    id: createHash('sha256').update(text).digest('hex'),
    message: text,
    attestation: undefined,
    tag: 1108,
    publisher: 'app',
    ttlSeconds: 300,
  }
}

const texts = (messages: readonly StoredMessage[]) => messages.map((one) => one.message)

describe.skipIf(await whyNoRedis())('the relay driver on a Redis Cluster', () => {
  let cluster: RedisCluster
  const cleanups: (() => Promise<void>)[] = []
  beforeAll(async () => {
    cluster = await startRedisCluster({ primaries: 3 })
  }, 60_000)
  afterAll(() => cluster?.stop())
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup()
  })

  async function open(urls: readonly string[] = cluster.urls.slice(0, 1)) {
    const received: StoredMessage[] = []
    let gaps = 0
    const redis = await openRedis({ urls, replicas: 1 })
    const driver = await createRedisDriver({
      redis,
      now: Date.now,
      onMessages: (messages) => received.push(...messages),
      onGap: () => (gaps += 1),
    })
    cleanups.push(async () => {
      await driver.close()
      redis.close()
    })
    return { ...driver, received, gaps: () => gaps }
  }

  /** Finds one topic for each of the three primaries. */
  function topicsOfEachPrimary(): string[] {
    const topics = new Map<number, string>()
    while (topics.size < 3) {
      const topic = hex()
      topics.set(Math.floor((slotOf(prefixOf(partitionOf(topic))) * 3) / 16_384), topic)
    }
    return [0, 1, 2].map((index) => topics.get(index)!)
  }

  test('stores and delivers messages on every primary', async () => {
    const [one, two] = [await open(), await open()]
    const topics = topicsOfEachPrimary()
    two.watch(topics)
    await two.subscribe('wallet', topics)
    await two.read({ clientId: 'wallet', topics, afterSeq: 0, limit: 100 })
    expect(await one.publish(topics.map((topic) => message(topic, `on ${topic}`)))).toEqual(
      topics.map(() => 'stored'),
    )
    await expect
      .poll(() => texts(two.received).toSorted())
      .toEqual(topics.map((topic) => `on ${topic}`).toSorted())
    const read = await two.read({ clientId: 'wallet', topics, afterSeq: 0, limit: 100 })
    expect(new Set(read.messages)).toEqual(new Set(two.received))
    expect((await one.topicsOf('wallet')).toSorted()).toEqual(topics.toSorted())
    expect(await one.stats()).toMatchObject({ topics: 3, messages: 3 })
    await two.acknowledge('wallet', read.messages)
    expect(await one.stats()).toEqual({ topics: 0, messages: 0, bytes: 0 })
  })

  test('loses no acknowledged message when a primary is killed, and other topics continue', async () => {
    const [one, two] = [await open(), await open()]
    const [failing, ...others] = topicsOfEachPrimary() as [string, string, string]
    two.watch([failing, ...others])
    await two.subscribe('wallet', [failing])
    await one.publish([message(failing, 'before')])
    const failover = cluster.failOver(0)
    await expect.poll(() => one.error()).toBe('Redis is unavailable')
    const during = one.publish([message(failing, 'during')])
    for (const topic of others)
      expect(await one.publish([message(topic, `on ${topic}`)])).toEqual(['stored'])
    const { killed } = await failover
    // Without a replica, nothing is acknowledged.
    const outcome = await Promise.race([during, Promise.resolve('waits')])
    expect(outcome).toBe('waits')
    await killed.restart()
    expect(['stored', 'known']).toContain((await during)[0])
    await expect.poll(() => two.gaps()).toBeGreaterThan(0)
    const read = await two.read({ clientId: 'wallet', topics: [failing], afterSeq: 0, limit: 100 })
    expect(texts(read.messages)).toEqual(['before', 'during'])
    await one.publish([message(failing, 'after')])
    await expect.poll(() => texts(two.received)).toContain('after')
    await cluster.settle()
    expect(one.error()).toBeUndefined()
  }, 60_000)

  test('waits while a hash slot moves to another primary, then uses that primary', async () => {
    const [one, two] = [await open(), await open()]
    const [topic] = topicsOfEachPrimary() as [string]
    two.watch([topic])
    await one.publish([message(topic, 'before')])
    const slot = slotOf(prefixOf(partitionOf(topic)))
    const [from, to] = await Promise.all(
      (await cluster.primaries()).slice(0, 2).map(async ({ url }) => {
        const client = await createClient({ url }).connect()
        onTestFinished(() => client.destroy())
        return { client, id: await client.clusterMyId(), url: new URL(url) }
      }),
    )
    await to!.client.clusterSetSlot(slot, 'IMPORTING', from!.id)
    await from!.client.clusterSetSlot(slot, 'MIGRATING', to!.id)
    const during = one.publish([message(topic, 'during')])
    const keys = await from!.client.clusterGetKeysInSlot(slot, 1_000)
    const { hostname, port } = to!.url
    await from!.client.sendCommand(['MIGRATE', hostname, port, '', '0', '5000', 'KEYS', ...keys])
    for (const { client } of [to!, from!]) await client.clusterSetSlot(slot, 'NODE', to!.id)
    expect(await during).toEqual(['stored'])
    await expect.poll(() => two.gaps()).toBeGreaterThan(0)
    await one.publish([message(topic, 'after')])
    await expect.poll(() => texts(two.received)).toContain('after')
    const read = await one.read({ clientId: 'wallet', topics: [topic], afterSeq: 0, limit: 100 })
    expect(texts(read.messages)).toEqual(['before', 'during', 'after'])
  }, 60_000)
})
