import { startRedis, whyNoRedis, type Redis } from '@gatefold/tests/redis'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomTopic } from '../../../testing/startRelay.ts'
import { newMessage, readAll, textsOf, useRedisDrivers } from '../../../testing/useRedisDrivers.ts'

describe.skipIf(await whyNoRedis())('the relay driver during an outage of Redis', () => {
  let redis: Redis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())
  const drivers = useRedisDrivers()
  const open = () => drivers.open([redis.url])

  test('loses no acknowledged publish when Redis crashes, and retries pending writes', async () => {
    const [one, two] = [await open(), await open()]
    const topic = randomTopic()
    await two.subscribe('survivor', [topic])
    two.watch([topic])
    await one.publish([newMessage(topic, 'before')])
    await redis.kill()
    await expect.poll(() => one.error()).toBe('Redis is unavailable')
    const during = one.publish([newMessage(topic, 'during')])
    const [watched, unwatched] = [randomTopic(), randomTopic()]
    two.watch([watched, unwatched])
    two.unwatch([unwatched])
    await redis.restart()
    expect(['stored', 'known']).toContain((await during)[0])
    await expect.poll(() => two.gaps()).toBeGreaterThan(0)
    expect(one.error()).toBeUndefined()
    expect(textsOf(await two.read(readAll('wallet', [topic])))).toEqual(['before', 'during'])
    expect(await two.topicsOf('survivor')).toEqual([topic])
    for (const name of [topic, unwatched, watched])
      await one.publish([newMessage(name, `after on ${name}`)])
    await expect.poll(() => two.received.at(-1)?.message).toBe(`after on ${watched}`)
    expect(two.received.map((one) => one.topic)).not.toContain(unwatched)
    expect(two.received.map((one) => one.message)).toContain(`after on ${topic}`)
  })

  test('error: a publish that was never sent to Redis is reported as such', async () => {
    const driver = await open()
    await redis.kill()
    // The connection may close only after this message, which may therefore be stored.
    const first = driver.publish([newMessage(randomTopic(), 'first')]).catch(() => {})
    await expect.poll(() => driver.errors).toHaveLength(1)
    const failed = driver.publish([newMessage(randomTopic(), 'x')]).catch((error: unknown) => error)
    await driver.close()
    await first
    await redis.restart()
    expect(await failed).toMatchObject({ name: 'RelayStorageError', outcomes: ['unsent'] })
  })

  test('keeps the order of publishes while Redis loads its data', async () => {
    // Redis loads its data slowly, and reads a few KB from its connections in between.
    const slow = await startRedis({
      configuration: 'appendonly yes\nappendfsync always\nsave ""\nkey-load-delay 200\n',
    })
    try {
      const driver = await drivers.open([slow.url])
      const existing = randomTopic()
      await driver.publish(
        Array.from({ length: 1_000 }, (_, index) => newMessage(existing, `${index}`)),
      )
      await slow.kill()
      await expect.poll(() => driver.error()).toBe('Redis is unavailable')
      const topic = randomTopic()
      const sent = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(6_000)}`)
      const published = Promise.all(sent.map((text) => driver.publish([newMessage(topic, text)])))
      await slow.restart()
      await published
      const found: string[] = []
      for (let afterSeq = 0, isMore = true; isMore;) {
        const page = await driver.read({
          clientId: 'wallet',
          topics: [topic],
          afterSeq,
          limit: 500,
        })
        found.push(...textsOf(page))
        afterSeq = page.messages.at(-1)!.seq
        isMore = page.hasMore
      }
      expect(found).toEqual(sent)
    } finally {
      await drivers.closeAll()
      await slow.stop()
    }
  })

  test('a full Redis accepts only acknowledgements; publishes wait until there is room', async () => {
    const operator = await createClient({ url: redis.url }).connect()
    try {
      const driver = await open()
      const [full, other] = [randomTopic(), randomTopic()]
      await driver.subscribe('wallet', [full])
      await driver.publish([newMessage(full, 'delivered')])
      await operator.configSet('maxmemory', '1')
      const waiting = Promise.all(
        ['a', 'b'].map((text) => driver.publish([newMessage(other, text)])),
      )
      const receipt = driver.acknowledge('wallet', [newMessage(full, 'delivered')])
      await expect.poll(async () => textsOf(await driver.read(readAll('late', [full])))).toEqual([])
      await expect.poll(() => driver.error()).toBe('Redis is unavailable')
      await operator.configSet('maxmemory', '0')
      await receipt
      expect(await waiting).toEqual([['stored'], ['stored']])
      expect(textsOf(await driver.read(readAll('wallet', [other])))).toEqual(['a', 'b'])
    } finally {
      await operator.configSet('maxmemory', '0')
      operator.destroy()
    }
  })
})
