import { whyNoRedis } from '@gatefold/tests/redis'
import { startRedisCluster, type RedisCluster } from '@gatefold/tests/redisCluster'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { slotOf } from '../../../redis/slotOf.ts'
import { randomTopic } from '../../../testing/startRelay.ts'
import { newMessage, readAll, textsOf, useRedisDrivers } from '../../../testing/useRedisDrivers.ts'
import { partitionOf, prefixOf } from './partitions.ts'

describe.skipIf(await whyNoRedis())('the relay driver on a Redis Cluster', () => {
  let cluster: RedisCluster
  beforeAll(async () => {
    cluster = await startRedisCluster({ primaries: 3 })
  })
  afterAll(() => cluster?.stop())
  const drivers = useRedisDrivers()
  const open = () => drivers.open(cluster.urls.slice(0, 1), { replicas: 1 })

  /** Finds one topic for each of the three primaries. */
  function topicsOfEachPrimary(): string[] {
    const topics = new Map<number, string>()
    while (topics.size < 3) {
      const topic = randomTopic()
      topics.set(Math.floor((slotOf(prefixOf(partitionOf(topic))) * 3) / 16_384), topic)
    }
    return [0, 1, 2].map((index) => topics.get(index)!)
  }

  test('stores and delivers messages on every primary', async () => {
    const [one, two] = [await open(), await open()]
    const topics = topicsOfEachPrimary()
    two.watch(topics)
    await two.subscribe('wallet', topics)
    await two.read(readAll('wallet', topics))
    expect(await one.publish(topics.map((topic) => newMessage(topic, `on ${topic}`)))).toEqual(
      topics.map(() => 'stored'),
    )
    await expect
      .poll(() => textsOf({ messages: two.received }).toSorted())
      .toEqual(topics.map((topic) => `on ${topic}`).toSorted())
    const read = await two.read(readAll('wallet', topics))
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
    await one.publish([newMessage(failing, 'before')])
    const failover = cluster.failOver(0)
    await expect.poll(() => one.error()).toBe('Redis is unavailable')
    const during = one.publish([newMessage(failing, 'during')])
    for (const topic of others)
      expect(await one.publish([newMessage(topic, `on ${topic}`)])).toEqual(['stored'])
    const { killed } = await failover
    // The new primary has no replica yet, so no write is acknowledged.
    const outcome = await Promise.race([during, Promise.resolve('waits')])
    expect(outcome).toBe('waits')
    await killed.restart()
    expect(['stored', 'known']).toContain((await during)[0])
    await expect.poll(() => two.gaps()).toBeGreaterThan(0)
    const read = await two.read(readAll('wallet', [failing]))
    expect(textsOf(read)).toEqual(['before', 'during'])
    await one.publish([newMessage(failing, 'after')])
    await expect.poll(() => textsOf({ messages: two.received })).toContain('after')
    await cluster.settle()
    expect(one.error()).toBeUndefined()
  })

  test('waits while a hash slot moves to another primary, then uses that primary', async () => {
    const [one, two] = [await open(), await open()]
    const [topic] = topicsOfEachPrimary() as [string]
    two.watch([topic])
    await one.publish([newMessage(topic, 'before')])
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
    const during = one.publish([newMessage(topic, 'during')])
    const keys = await from!.client.clusterGetKeysInSlot(slot, 1_000)
    const { hostname, port } = to!.url
    await from!.client.sendCommand(['MIGRATE', hostname, port, '', '0', '5000', 'KEYS', ...keys])
    for (const { client } of [to!, from!]) await client.clusterSetSlot(slot, 'NODE', to!.id)
    expect(await during).toEqual(['stored'])
    await expect.poll(() => two.gaps()).toBeGreaterThan(0)
    await one.publish([newMessage(topic, 'after')])
    await expect.poll(() => textsOf({ messages: two.received })).toContain('after')
    const read = await one.read(readAll('wallet', [topic]))
    expect(textsOf(read)).toEqual(['before', 'during', 'after'])
  })
})
