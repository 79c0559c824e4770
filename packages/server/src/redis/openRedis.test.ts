import { startRedis, whyNoRedis, type Redis as RedisServer } from '@gatefold/tests/redis'
import { createClient } from '@redis/client'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { defineScript } from './defineScript.ts'
import { openRedis, type Redis, type RedisOptions } from './openRedis.ts'

const append = defineScript<number>(`return redis.call('APPEND', KEYS[1], ARGV[1])`)

describe.skipIf(await whyNoRedis())('the connection to a single Redis', () => {
  let server: RedisServer
  const opened: Redis[] = []
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())
  afterEach(() => {
    for (const redis of opened.splice(0)) redis.close()
  })

  async function open(options: Partial<RedisOptions> = {}) {
    const redis = await openRedis({ urls: [server.url], replicas: 0, ...options })
    opened.push(redis)
    return redis
  }

  test('runs scripts that are not in the server’s cache, outside and inside of a commit', async () => {
    const redis = await open()
    const operator = await createClient({ url: server.url }).connect()
    onTestFinished(() => operator.destroy())
    await operator.scriptFlush()
    expect(await redis.run(append, 'a', 'xx')).toBe(2)
    await operator.scriptFlush()
    const call = (key: string, text: string) => ({ script: append, keys: [key], args: [text] })
    expect(await redis.commit([call('a', 'x'), call('b', 'x'), call('a', 'x')])).toEqual([3, 1, 4])
  })

  test('runs the scripts of a commit in order, including one that is missing from the server’s cache', async () => {
    const redis = await open()
    const appendFirst = defineScript<number>(`return redis.call('APPEND', KEYS[1], 'first ')`)
    await redis.commit([{ script: append, keys: ['order'], args: [''] }])
    await redis.commit([
      { script: appendFirst, keys: ['order'], args: [] },
      { script: append, keys: ['order'], args: ['second'] },
    ])
    const read = defineScript<string>(`return redis.call('GET', KEYS[1])`)
    expect(await redis.run(read, 'order')).toBe('first second')
  })

  test('error: a commit fails if no replica confirms it, although the server has applied it', async () => {
    const redis = await open({ replicas: 1 })
    const call = { script: append, keys: ['c'], args: ['x'] }
    await expect(redis.commit([call])).rejects.toMatchObject({ code: 'redis.unavailable' })
    expect(await redis.run(append, 'c', '')).toBe(1)
  })

  test('resubscribes after a restart of the server, and reports the gap', async () => {
    const redis = await open()
    const received: string[] = []
    let gaps = 0
    const channels = await redis.openChannels({
      onMessage: (channel, payload) => received.push(`${channel} ${payload.toString()}`),
      onGap: () => (gaps += 1),
    })
    onTestFinished(() => channels.close())
    channels.add(['one', 'two'])
    await channels.settle(['one', 'two'])
    await server.restart()
    await expect.poll(() => gaps).toBe(1)
    const operator = await createClient({ url: server.url }).connect()
    onTestFinished(() => operator.destroy())
    channels.remove(['one'])
    await expect.poll(() => operator.pubSubShardChannels()).toEqual(['two'])
    for (const channel of ['one', 'two']) await operator.sPublish(channel, 'hello')
    await expect.poll(() => received).toEqual(['two hello'])
  })

  test('error: cannot be opened if Redis is unreachable', async () => {
    await expect(open({ urls: ['redis://127.0.0.1:1'] })).rejects.toMatchObject({
      code: 'redis.unavailable',
    })
  })
})
