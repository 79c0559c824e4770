import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDatabase, engines, type TestDatabase } from '../testing/databases.ts'
import { openStorage, type Storage } from './openStorage.ts'
import {
  addDigests,
  countMailboxes,
  deleteSubscriptions,
  dropBodies,
  findMessages,
  findSubscriptions,
  insertAcks,
  insertMessages,
  insertSubscriptions,
  keyOf,
  lastSeq,
  maxCountedMessages,
  readWaiting,
  sweepMessages,
  toDigest,
  weighTopics,
} from './relay.ts'

const dayMs = 24 * 60 * 60_000

describe.each(engines)('mailboxes on %s', (engine) => {
  let database: TestDatabase
  let storage: Storage
  beforeEach(async () => {
    database = await createDatabase(engine)
    storage = await openStorage(database.config)
  })
  afterEach(async () => {
    await storage.close()
    await database.remove()
  })

  const message = (seq: number, forgetAt: number) => ({
    topic: 'topic',
    id: `id ${seq}`,
    digest: toDigest({ topic: 'topic', id: `id ${seq}` }),
    seq,
    message: 'text',
    bytes: 4,
    attestation: null,
    tag: 2 ** 32 - 1,
    publisher: 'app',
    published_at: 1,
    expires_at: forgetAt,
    forget_at: forgetAt,
    charge: '',
  })

  test('attack: a count of many messages reads a bounded number of them', async () => {
    const { db } = storage
    const base = 1_795_000_000_000_000
    const rows = Array.from({ length: maxCountedMessages + 500 }, (_, index) => ({
      ...message(base + index, 100),
      topic: `topic ${index % 3}`,
    }))
    await insertMessages(db, rows.slice(0, 4), new Map())
    expect(await countMailboxes(db, 1)).toEqual({ topics: 3, messages: 4, bytes: 16 })
    expect(await countMailboxes(db, 100)).toEqual({ topics: 0, messages: 0, bytes: 0 })
    await insertMessages(db, rows.slice(4), new Map())
    expect((await countMailboxes(db, 1)).messages).toBe(maxCountedMessages)
  })

  test('stores small and large messages with every character in one call', async () => {
    const { db } = storage
    const texts = ['', '{"a":"\\\\n"},NULL', 'ü🦊', 'x'.repeat(20_000), 'y'.repeat(300), 'null']
    const rows = texts.map((text, index) => ({
      ...message(1_795_000_000_000_000 + index, 10),
      message: text,
      bytes: Math.max(1, text.length),
      attestation: index % 2 === 0 ? null : `"${text.slice(0, 10)}'`,
    }))
    await insertMessages(db, rows, new Map())
    const stored = await db.selectFrom('relay_messages').selectAll().orderBy('seq').execute()
    expect(stored).toEqual(rows)
  })

  test('sweeps expired messages and their acknowledgements in small batches', async () => {
    const { db } = storage
    const rows = [1, 2, 3, 4, 5].map((index) => message(1_795_000_000_000_000 + index, index * 10))
    await insertMessages(db, rows, new Map())
    await insertAcks(
      db,
      rows.map(({ seq }) => ({ seq, client_id: 'wallet' })),
    )
    expect(await sweepMessages(db, 41, 3)).toBe(3)
    expect(await sweepMessages(db, 41, 3)).toBe(1)
    expect(await sweepMessages(db, 41, 3)).toBe(0)
    const remaining = rows[4]!.seq
    expect(await db.selectFrom('relay_messages').select('seq').execute()).toEqual([
      { seq: remaining },
    ])
    expect(await db.selectFrom('relay_acks').select('seq').execute()).toEqual([{ seq: remaining }])
    expect(await lastSeq(db)).toBe(remaining)
  })

  test('finds a message by topic and id, but not another message with the same digest', async () => {
    const { db } = storage
    const [first, second] = [message(1, 10), message(2, 10)]
    await insertMessages(db, [first, second], new Map())
    await db
      .updateTable('relay_messages')
      .set({ digest: toDigest(first) })
      .execute()
    const known = { topic: 'topic', id: 'id 1', seq: 1, publisher: 'app', tag: 2 ** 32 - 1 }
    const found = { ...known, charge: '', isWaiting: true }
    expect([...(await findMessages(db, [first]))]).toEqual([[keyOf(first), found]])
    await dropBodies(db, [1], 0)
    expect([...(await findMessages(db, [first]))]).toEqual([
      [keyOf(first), { ...found, isWaiting: false }],
    ])
  })

  test('finds messages from an older version once their digest has been added', async () => {
    const { db } = storage
    const rows = Array.from({ length: 501 }, (_, index) => message(index, 10))
    await insertMessages(db, rows, new Map())
    await db.updateTable('relay_messages').set({ digest: null }).execute()
    expect((await findMessages(db, rows)).size).toBe(0)
    await addDigests(db)
    expect((await findMessages(db, rows)).size).toBe(501)
  })

  test('reads only the bodies of selected messages', async () => {
    const { db } = storage
    const rows = [1, 2, 3, 4].map((seq) => ({ ...message(seq, 10), message: 'text', bytes: 1_000 }))
    await insertMessages(db, rows, new Map())
    const statements: unknown[][] = []
    const reading = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        statements.push(result.rows)
        return result
      },
    })
    const options = { clientId: 'wallet', topics: ['topic'], afterSeq: 1, limit: 2, now: 1 }
    const seqs = async (bytes: number, limit: number) => {
      const page = await readWaiting(reading, { ...options, bytes, limit })
      return [page.rows.map(({ seq }) => seq), page.hasMore]
    }
    expect(await seqs(2_000, 2)).toEqual([[2, 3], true])
    expect(await seqs(1_999, 3)).toEqual([[2], true])
    // A page contains at least one message, however large it is.
    expect(await seqs(1, 3)).toEqual([[2], true])
    expect(await seqs(3_000, 3)).toEqual([[2, 3, 4], false])
    expect(await readWaiting(db, { ...options, bytes: 1, afterSeq: 4 })).toEqual({
      rows: [],
      hasMore: false,
    })
    const texts = statements.flat().filter((row) => 'message' in (row as object))
    expect(texts).toHaveLength(2 + 1 + 1 + 3)
  })

  test('attack: searches many messages that wait for others in steps', async () => {
    const { db } = storage
    const topics = Array.from({ length: 5 }, (_, index) => `topic ${index}`)
    const rows = Array.from({ length: 4_500 }, (_, index) => ({
      ...message(index + 1, 10),
      topic: topics[index % 5]!,
      publisher: index < 4_490 ? 'wallet' : 'app',
    }))
    await insertMessages(db, rows, new Map())
    let taken = 0
    const nextTurn = async () => void (taken += 1)
    // PostgreSQL does not block the event loop. Its first rows may be of all topics.
    const countTurns = (count: number) => (engine === 'sqlite' ? count : 0)
    // A step searches two topics of 900 messages.
    const turns = countTurns(2)
    const options = { clientId: 'wallet', topics, afterSeq: 0, bytes: 2 ** 40, now: 1, nextTurn }
    const read = async (change: Partial<Parameters<typeof readWaiting>[1]>, limit: number) => {
      taken = 0
      const page = await readWaiting(db, { ...options, limit, ...change })
      return {
        seqs: page.rows.map(({ seq }) => seq),
        hasMore: page.hasMore,
        turns: countTurns(taken),
      }
    }
    const seqs = rows.slice(4_490).map(({ seq }) => seq)
    expect(await read({}, 100)).toEqual({ seqs, hasMore: false, turns })
    expect(await read({}, 7)).toEqual({ seqs: seqs.slice(0, 7), hasMore: true, turns })
    expect(await read({ topics: ['none', 'topic 0'] }, 7)).toEqual({
      seqs: [seqs[0], seqs[5]],
      hasMore: false,
      turns: 0,
    })
    expect(await read({ topics: ['topic 1'] }, 7)).toMatchObject({ seqs: [seqs[1], seqs[6]] })
    expect(await read({ afterSeq: seqs[8]! }, 7)).toEqual({
      seqs: [seqs[9]],
      hasMore: false,
      turns: 0,
    })
    expect(await read({ topics: ['none', 'neither'] }, 7)).toMatchObject({ seqs: [], turns: 0 })
  })

  test('attack: reads the subscriptions of a client in steps', async () => {
    const { db } = storage
    const topics = Array.from({ length: 1_200 }, (_, index) => `${index}`.padStart(64, '0'))
    await insertSubscriptions(
      db,
      topics.map((topic) => ({ client_id: 'wallet', topic, subscribed_at: 1 })),
    )
    const nextTurn = vi.fn<() => Promise<void>>(async () => {})
    expect(await findSubscriptions(db, 'wallet', nextTurn)).toEqual(topics)
    expect(nextTurn).toHaveBeenCalledTimes(2)
  })

  test('accepts more topics than one statement can bind', async () => {
    const { db } = storage
    const topics = Array.from({ length: 70_000 }, (_, index) => `topic ${index}`)
    const last = topics.at(-1)!
    await insertMessages(db, [message(1, 10), { ...message(2, 10), topic: last }], new Map())
    expect(await weighTopics(db, topics, 1)).toEqual(new Map([[last, { messages: 1, bytes: 4 }]]))
    await insertSubscriptions(db, [{ client_id: 'wallet', topic: last, subscribed_at: 1 }])
    await deleteSubscriptions(db, 'wallet', topics)
    expect(await findSubscriptions(db, 'wallet')).toEqual([])
  })

  test('renews a subscription at most once a day', async () => {
    const { db } = storage
    const subscribe = (time: number) =>
      insertSubscriptions(db, [{ client_id: 'wallet', topic: 'topic', subscribed_at: time }])
    const since = async () =>
      (await db.selectFrom('relay_subscriptions').select('subscribed_at').execute())[0]
    await subscribe(1)
    await subscribe(dayMs)
    expect(await since()).toEqual({ subscribed_at: 1 })
    await subscribe(dayMs + 2)
    expect(await since()).toEqual({ subscribed_at: dayMs + 2 })
  })
})
