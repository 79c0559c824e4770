import { whyNoRedis } from '@gatefold/tests/redis'
import { beforeEach, describe, expect, test } from 'vitest'
import { scripts } from './scripts.ts'
import { useRedis } from '../../../testing/useRedis.ts'

const minute = 60_000
const knownMs = 10 * minute
const acknowledgedMs = 100 * minute

type Message = Partial<
  Record<'id' | 'topic' | 'publisher' | 'attestation' | 'charge' | 'write' | 'message', string>
> & { ttl?: number; tag?: number }

describe.skipIf(await whyNoRedis())('the scripts', () => {
  const running = useRedis()

  let tests = 0
  let writes = 0
  let prefix = ''
  let now = 0
  beforeEach(() => {
    tests += 1
    prefix = `test ${tests}:{5}:`
    now = 1_700_000_000_001
  })

  const publish = (messages: Message[], { count = 1_000, bytes = 10_000 } = {}) =>
    running.redis.run(
      scripts.publishMessages,
      prefix,
      ...[now, count, bytes, knownMs].map(String),
      ...messages.flatMap(({ id = 'id', topic = 't', publisher = 'app', ...other }) => {
        const { ttl = 5 * minute, tag = 1108, attestation = '', charge = '', message = id } = other
        const { write = `${(writes += 1)}` } = other
        return ['1', topic, id, `${ttl}`, publisher, `${tag}`, attestation, charge, write, message]
      }),
    )
  const change = (added: '1' | '0', ...changes: [set: string, member: string][]) =>
    running.redis.run(
      scripts.changeSubscriptions,
      prefix,
      `${20 * minute}`,
      ...changes.flatMap((change) => ['1', ...change, added]),
    )
  const acknowledge = (client: string, ...ids: string[]) =>
    running.redis.run(
      scripts.acknowledge,
      prefix,
      ...[knownMs, acknowledgedMs].map(String),
      ...ids.flatMap((id) => ['1', client, 't', id]),
    )
  const find = (
    topics: string[] = ['t'],
    { client = 'wallet', count = 100, bytes = 10_000, after = 0 } = {},
  ) =>
    running.redis.run(
      scripts.findWaiting,
      prefix,
      client,
      ...[now, count, bytes, after].map(String),
      ...topics,
    )
  const seqsOf = async (...options: Parameters<typeof find>) =>
    (await find(...options)).flatMap(([, found]) => found.map(([seq]) => seq))
  const sweep = (limit = 500) => running.redis.run(scripts.sweep, prefix, `${now}`, `${limit}`)
  const totals = async () => (await running.redis.run(scripts.readTotals, prefix)).map(Number)
  /** Reads the waiting messages: their texts and attestations. */
  const read = async (client = 'wallet') => {
    const ids = (await seqsOf(['t'], { client })).flatMap((seq) => ['t', `${seq}`])
    const entries = await running.redis.run(scripts.readMessages, prefix, ...ids)
    return entries.map(([, , , message, attestation]) => ({ message, attestation }))
  }
  const textsFor = async (client?: string) => (await read(client)).map(({ message }) => message)
  const keys = async () =>
    (await running.operator.keys(`${prefix}*`)).map((key) => key.slice(prefix.length)).toSorted()
  /** The remaining lifetime of a key, rounded up to minutes; -1 if it does not expire. */
  const minutesOf = async (key: string) => {
    const ms = await running.operator.pTTL(prefix + key)
    return ms < 0 ? ms : Math.ceil(ms / minute)
  }
  const many = (count: number, message: Message = {}): Message[] =>
    Array.from({ length: count }, (_, index) => ({ ...message, id: `${message.id ?? ''}${index}` }))

  describe('a published message', () => {
    test('has a number of its partition that follows the clock and the last number', async () => {
      await publish([{ id: 'a' }, { id: 'b' }])
      now -= minute
      await publish([{ id: 'c' }])
      now += 2 * minute
      await publish([{ id: 'd' }])
      const first = 1_700_000_000_000_965
      const [a, b, c, d] = await seqsOf()
      expect([a, b, c, d]).toEqual([first, first + 64, first + 128, first + minute * 1_000])
      expect(first % 64).toBe(5)
    })

    test('is known for its time to live, but at least for the minimum time', async () => {
      await publish([
        { id: 'a', ttl: 15 * minute },
        { id: 'b', ttl: minute },
      ])
      expect(await publish([{ id: 'a' }, { id: 'b' }])).toEqual(['known', 'known'])
      expect(await Promise.all(['k:t:a', 'k:t:b'].map(minutesOf))).toEqual([15, 10])
      expect(await textsFor()).toEqual(['a', 'b'])
    })

    test('is not known to a repetition of the write that stored it, even after its delivery', async () => {
      await change('1', ['c:t', 'wallet'])
      expect(await publish([{ write: 'w1' }])).toEqual(['stored'])
      expect(await publish([{ write: 'w1' }, { write: 'w2' }])).toEqual(['stored', 'known'])
      expect(await totals()).toEqual([1, 1, 2])
      await acknowledge('wallet', 'id')
      expect(await publish([{ write: 'w1' }, { write: 'w2' }])).toEqual(['stored', 'known'])
      expect(await totals()).toEqual([0, 0, 0])
    })

    test('counts with the bytes of its text and attestation, and at least one', async () => {
      await publish([{ message: '' }, { id: 'ä', attestation: 'jwt', topic: 'u' }])
      expect(await totals()).toEqual([2, 2, 6])
      await publish([{ id: 'b', topic: 'u' }])
      expect(await totals()).toEqual([2, 3, 7])
      now += 5 * minute
      expect(await sweep()).toBe(3)
      expect(await totals()).toEqual([0, 0, 0])
    })

    test.each([
      ['messages', { count: 2 }],
      ['bytes', { bytes: 6 }],
    ])('is refused by a topic that holds the maximum of %s', async (_, limits) => {
      const messages = [
        { id: 'a', message: 'a', attestation: 'jw' },
        { id: 'b', message: 'bbb' },
        { id: 'c', message: '' },
      ]
      expect(await publish(messages, limits)).toEqual(['stored', 'stored', 'full'])
      expect(await publish([{ ...messages[2], topic: 'u' }], limits)).toEqual(['stored'])
      // Messages that have not expired are not deleted.
      now += 5 * minute - 1
      expect(await publish([messages[2]!], limits)).toEqual(['full'])
      now += 1
      expect(await publish([messages[2]!], limits)).toEqual(['stored'])
      expect(await totals()).toEqual([2, 3, expect.any(Number)])
    })

    test('may be as large as an empty topic, or one whose messages have expired', async () => {
      for (const id of ['a', 'b']) {
        const large = { id, message: 'x'.repeat(100) }
        expect(await publish([large], { bytes: 100 })).toEqual(['stored'])
        now += 5 * minute
      }
    })

    test('replaces as many expired messages as its topic needs, at most 500', async () => {
      const limits = { bytes: 600 }
      await publish(many(600, { message: 'x' }), limits)
      now += 5 * minute
      expect(await publish([{ id: '7', message: 'x' }], limits)).toEqual(['known'])
      expect(await totals()).toEqual([1, 600, 600])
      await publish([{ id: 'a' }, { id: 'b' }], limits)
      expect(await totals()).toEqual([1, 600, 600])
      const large = { id: 'large', message: 'x'.repeat(598) }
      expect(await publish([large], limits)).toEqual(['full'])
      expect(await totals()).toEqual([1, 100, 100])
      expect(await publish([large], limits)).toEqual(['stored'])
      expect(await totals()).toEqual([1, 3, 600])
      expect(await textsFor()).toEqual(['a', 'b', large.message])
    })

    test('gets a later attestation if its topic has room, and keeps the first one', async () => {
      const repeat = async (attestation: string, bytes?: number) => {
        expect(await publish([{ attestation, message: 'text' }], { bytes: bytes ?? 10 })).toEqual([
          'known',
        ])
        const [message] = await read()
        const [, count, bytesInAll] = await totals()
        return [message?.attestation, count, bytesInAll]
      }
      await publish([{ message: 'text' }])
      expect(await repeat('')).toEqual(['', 1, 4])
      expect(await repeat('7 bytes')).toEqual(['', 1, 4])
      expect(await repeat('6bytes')).toEqual(['6bytes', 1, 10])
      expect(await repeat('second', 100)).toEqual(['6bytes', 1, 10])
      await acknowledge('wallet', 'id')
      expect(await repeat('third')).toEqual([undefined, 0, 0])
      expect(await keys()).toEqual(['k:t:id', 'seq', 'total'])
    })
  })

  test('subscriptions are added and removed, and expire unless they are renewed', async () => {
    await change('1', ['s:wallet', 'a'], ['s:wallet', 'b'], ['c:a', 'wallet'])
    const topics = () => running.redis.run(scripts.readTopics, prefix, 'wallet')
    expect((await topics()).toSorted()).toEqual(['a', 'b'])
    await running.operator.pExpire(`${prefix}s:wallet`, minute)
    await change('0', ['s:wallet', 'a'])
    expect(await minutesOf('s:wallet')).toBe(1)
    await change('1', ['s:wallet', 'c'])
    expect((await topics()).toSorted()).toEqual(['b', 'c'])
    expect(await Promise.all(['s:wallet', 'c:a'].map(minutesOf))).toEqual([20, 20])
    expect(await running.redis.run(scripts.readTopics, prefix, 'app')).toEqual([])
  })

  describe('an acknowledged message', () => {
    const subscribe = (...clients: string[]) =>
      change('1', ...clients.map((client): [string, string] => ['c:t', client]))

    test('is deleted once all subscribers except its publisher have acknowledged it', async () => {
      await subscribe('app', 'wallet', 'tablet')
      await publish([
        { id: 'a', ttl: 15 * minute, charge: 'charge of a', attestation: 'jwt' },
        { id: 'b' },
      ])
      expect(await acknowledge('wallet', 'a', 'b', 'unknown')).toEqual([])
      expect(await textsFor('wallet')).toEqual([])
      expect(await textsFor('tablet')).toEqual(['a', 'b'])
      const [seq] = await seqsOf(['t'], { client: 'tablet' })
      expect(await minutesOf(`a:${seq}`)).toBe(acknowledgedMs / minute)
      expect(await acknowledge('tablet', 'a', 'b')).toEqual(['charge of a'])
      expect(await acknowledge('tablet', 'a')).toEqual([])
      expect(await textsFor('tablet')).toEqual([])
      expect(await totals()).toEqual([0, 0, 0])
      expect(await keys()).toEqual(['c:t', 'k:t:a', 'k:t:b', 'seq', 'total'])
      // The relay now keeps the id of the message only for the minimum time.
      expect(await minutesOf('k:t:a')).toBe(knownMs / minute)
    })

    test('is not deleted if only its publisher has acknowledged it', async () => {
      await subscribe('app')
      await publish([{ id: 'a' }])
      expect(await acknowledge('app', 'a')).toEqual([])
      expect(await textsFor()).toEqual(['a'])
    })

    test('stays until it expires if it invites clients that subscribe later', async () => {
      await publish([
        { id: 'proposal', tag: 1100 },
        { id: 'authenticate', tag: 1116 },
        { id: 'request' },
      ])
      await acknowledge('wallet', 'proposal', 'authenticate', 'request')
      expect(await textsFor()).toEqual([])
      expect(await textsFor('tablet')).toEqual(['proposal', 'authenticate'])
      expect(await minutesOf('k:t:proposal')).toBe(knownMs / minute)
    })

    test.each([
      [20, []],
      [21, ['a']],
    ])('with %i subscribers leaves %j', async (count, left) => {
      const clients = Array.from({ length: count }, (_, index) => `client ${index}`)
      await subscribe(...clients)
      await publish([{ id: 'a' }])
      for (const client of clients) await acknowledge(client, 'a')
      expect(await textsFor()).toEqual(left)
    })
  })

  describe('a client finds', () => {
    test('messages of others that have not expired, from a number on', async () => {
      await publish([{ id: 'a' }, { id: 'b', publisher: 'wallet' }, { id: 'c', ttl: minute }])
      expect(await textsFor()).toEqual(['a', 'c'])
      const [a, c] = (await seqsOf()) as [number, number]
      expect(await seqsOf(['t'], { after: a })).toEqual([c])
      now += minute - 1
      expect(await seqsOf()).toEqual([a, c])
      now += 1
      expect(await seqsOf()).toEqual([a])
    })

    test('as many messages as fit into the limits, at least one', async () => {
      await publish([{ id: 'aaaa' }, { id: 'bbbb' }, { id: 'cccc' }])
      const page = async (limits: Parameters<typeof find>[1]) => {
        const [[more, found]] = (await find(['t'], limits)) as [[number, unknown[]]]
        return [found.length, more]
      }
      expect(await page({ count: 3, bytes: 12 })).toEqual([3, 0])
      expect(await page({ count: 2 })).toEqual([2, 1])
      expect(await page({ bytes: 11 })).toEqual([2, 1])
      expect(await page({ bytes: 1 })).toEqual([1, 1])
    })

    test('messages after many that it has published itself', async () => {
      await publish([...many(250, { id: 'own ', publisher: 'wallet' }), ...many(150)])
      expect(await seqsOf(['t'], { count: 1_000 })).toHaveLength(150)
    })

    test('only the first topics, if these have more than 1,000 messages', async () => {
      await publish([...many(1_000, { topic: 'a' }), ...many(1, { topic: 'b' })])
      const options = { client: 'app' }
      expect(await find(['a', 'b', 'c'], options)).toHaveLength(2)
      expect(await find(['a', 'c'], options)).toHaveLength(2)
    })

    test('nothing where a selected message has been deleted in between', async () => {
      await publish([{ id: 'a' }, { id: 'b', attestation: 'jwt' }])
      const ids = (await seqsOf()).flatMap((seq) => ['t', `${seq}`])
      await acknowledge('wallet', 'a')
      const entries = await running.redis.run(scripts.readMessages, prefix, ...ids)
      expect(entries).toEqual([['t', ids[3], expect.any(Array), 'b', 'jwt']])
    })
  })

  test('a message whose text Redis has evicted is empty, so its client can still acknowledge it', async () => {
    await publish([{ id: 'a', attestation: 'jwt' }])
    const [seq] = await seqsOf()
    await running.operator.del(`${prefix}b:${seq}`)
    expect(await read()).toEqual([{ message: '', attestation: '' }])
    await acknowledge('wallet', 'a')
    expect(await read()).toEqual([])
  })

  describe('expired messages', () => {
    test('are deleted in batches, with all their keys', async () => {
      await publish([...many(3, { attestation: 'jwt' }), { id: 'later', ttl: 6 * minute }])
      await change('1', ['c:t', 'tablet'])
      await acknowledge('wallet', '0', '1')
      now += 5 * minute - 1
      expect(await sweep()).toBe(0)
      now += 1
      expect([await sweep(2), await sweep(2), await sweep(2)]).toEqual([2, 1, 0])
      expect(await totals()).toEqual([1, 1, 5])
      now += minute
      expect(await sweep()).toBe(1)
      const known = ['0', '1', '2', 'later'].map((id) => `k:t:${id}`)
      expect(await keys()).toEqual(['c:t', ...known, 'seq', 'total'])
    })

    test('that Redis has evicted do not make it count below zero', async () => {
      await publish(many(2))
      await running.operator.del(`${prefix}m:t`)
      now += 5 * minute
      expect([await sweep(), await sweep()]).toEqual([2, 0])
      expect(Math.min(...(await totals()))).toBeGreaterThanOrEqual(0)
    })
  })
})
