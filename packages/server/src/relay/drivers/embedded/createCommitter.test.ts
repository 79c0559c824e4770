import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '@gatefold/protocol'
import {
  findSubscriptions,
  insertMessages,
  insertSubscriptions,
  readWaiting,
  toDigest,
} from '../../../storage/relay.ts'
import { openStorage, type Storage } from '../../../storage/openStorage.ts'
import type { StoredMessage } from '../RelayDriver.ts'
import { knownMs, type Write } from './commitWrites.ts'
import { createCommitter, type Committer } from './createCommitter.ts'

const dayMs = 24 * 60 * 60_000
const now = 1_000_000
const topic = 'a'.repeat(64)

let storage: Storage
let committer: Committer
let lastSeq = 0
beforeEach(async () => {
  storage = await openStorage({ databaseUrl: undefined, dataDir: ':memory:' })
  committer = createCommitter(storage.db)
  lastSeq = 0
})
afterEach(() => storage.close())

const commit = (...writes: Write[]) => committer.commit(writes, now, false)
/** A message whose text and id are `id`, and whose charge is `charge of <id>`. */
function message(id: string, change: Partial<StoredMessage> = {}): StoredMessage {
  lastSeq += 1
  return {
    topic,
    id,
    seq: lastSeq,
    message: id,
    attestation: undefined,
    tag: 1108,
    publisher: 'app',
    publishedAt: now,
    expiresAt: now + 300_000,
    charge: `charge of ${id}`,
    ...change,
  }
}
const publish = (...messages: StoredMessage[]): Write => ({ kind: 'publish', messages })
const subscribe = (clientId: string, ...topics: string[]): Write => ({
  kind: 'subscribe',
  clientId,
  topics,
})
const unsubscribe = (clientId: string, ...topics: string[]): Write => ({
  kind: 'unsubscribe',
  clientId,
  topics,
})
const acknowledge = (clientId: string, ...ids: string[]): Write => ({
  kind: 'acknowledge',
  clientId,
  receipts: ids.map((id) => ({ topic, id })),
})
const topicsOf = async (clientId: string) =>
  (await findSubscriptions(storage.db, clientId)).toSorted()
async function waiting(clientId = 'wallet', of = topic) {
  const options = { clientId, topics: [of], afterSeq: 0, limit: 2_000, bytes: 2 ** 40, now }
  return (await readWaiting(storage.db, options)).rows
}
const waitingIds = async (clientId?: string) => (await waiting(clientId)).map(({ id }) => id)
const rowOf = (id: string) =>
  storage.db.selectFrom('relay_messages').selectAll().where('id', '=', id).executeTakeFirst()

describe('subscriptions', () => {
  test('the last write of a client for a topic wins', async () => {
    await commit(subscribe('w', 'old', 'older', 'kept'), subscribe('x', 'old'))
    await commit(
      subscribe('w', 'a', 'b', 'c'),
      unsubscribe('w', 'a'),
      unsubscribe('w', 'b', 'old', 'older'),
      subscribe('w', 'b', 'older'),
      subscribe('x', 'a'),
    )
    expect(await topicsOf('w')).toEqual(['b', 'c', 'kept', 'older'])
    expect(await topicsOf('x')).toEqual(['a', 'old'])
    await commit(
      unsubscribe('w', 'kept', 'unknown'),
      unsubscribe('x', 'a'),
      unsubscribe('x', 'old'),
    )
    expect([await topicsOf('w'), await topicsOf('x')]).toEqual([['b', 'c', 'older'], []])
    expect(
      await storage.db.selectFrom('relay_subscriptions').select('subscribed_at').execute(),
    ).toEqual(Array.from({ length: 3 }, () => ({ subscribed_at: now })))
  })
})

describe('messages', () => {
  test('are stored with all fields', async () => {
    expect(
      await commit(
        publish(message('täxt'), message('', { charge: undefined })),
        subscribe('w', 'b'),
        publish(message('attested', { attestation: 'häh', expiresAt: now + dayMs })),
      ),
    ).toEqual({
      results: [['stored', 'stored'], undefined, ['stored']],
      stored: [1, 2, 3],
      dropped: [],
    })
    const row = {
      topic,
      tag: 1108,
      publisher: 'app',
      published_at: now,
      attestation: null,
      expires_at: now + 300_000,
      forget_at: now + knownMs,
    }
    expect(await waiting()).toMatchObject([
      { ...row, id: 'täxt', seq: 1, message: 'täxt', bytes: 5, charge: 'charge of täxt' },
      // 0 bytes would mean that the message does not wait.
      { ...row, id: '', seq: 2, message: '', bytes: 1, charge: '' },
      {
        ...row,
        id: 'attested',
        seq: 3,
        attestation: 'häh',
        bytes: 8 + 4,
        expires_at: now + dayMs,
        forget_at: now + dayMs,
      },
    ])
  })

  test('that are equal are stored once, the first of them', async () => {
    const first = message('one', { message: 'first' })
    const writes = [
      publish(first, message('one', { message: 'again' }), message('two')),
      publish(message('one'), message('one', { topic: 'other' })),
    ]
    const committed = {
      results: [
        ['stored', 'known', 'stored'],
        ['known', 'stored'],
      ],
      stored: [1, 3, 5],
      dropped: [],
    }
    expect(await commit(...writes)).toEqual(committed)
    expect(await waiting()).toMatchObject([{ id: 'one', message: 'first' }, { id: 'two' }])
    // The database may have committed writes before its connection failed.
    expect(await commit(...writes)).toEqual(committed)
    expect(await commit(publish(message('one')))).toEqual({
      results: [['known']],
      stored: [],
      dropped: [],
    })
    expect(await waiting()).toMatchObject([{ attestation: null }, { attestation: null }])
  })

  test('that are published again get the new attestation, if they have none and there is room', async () => {
    const large = limits.relayTopicBytes - 100
    await commit(
      publish(message('one'), message('two', { attestation: 'first' }), message('three')),
    )
    expect(
      await commit(
        publish(message('one', { attestation: 'x' }), message('two', { attestation: 'second' })),
        publish(message('four'), message('four', { attestation: 'y' })),
      ),
    ).toMatchObject({
      results: [
        ['known', 'known'],
        ['stored', 'known'],
      ],
      stored: [6],
    })
    expect((await waiting()).map(({ attestation, bytes }) => [attestation, bytes])).toEqual([
      ['x', 4],
      ['first', 8],
      [null, 5],
      ['y', 5],
    ])
    // The bytes of the attestations count. 22 bytes are waiting.
    await commit(publish(message('large', { message: 'x'.repeat(large) })))
    const attest = (...attestations: string[]) =>
      commit(
        publish(
          ...attestations.map((attestation, index) =>
            message(['three', 'large'][index]!, { attestation }),
          ),
        ),
      )
    await attest('z'.repeat(79))
    expect((await rowOf('three'))?.attestation).toBeNull()
    await attest('z'.repeat(70), 'z'.repeat(9))
    expect((await rowOf('three'))?.attestation).toHaveLength(70)
    expect((await rowOf('large'))?.attestation).toBeNull()
    await attest('', 'z'.repeat(8))
    expect((await rowOf('large'))?.attestation).toHaveLength(8)
    expect(await commit(publish(message('more')))).toMatchObject({ results: [['full']] })
  })

  test('that were dropped get no attestation', async () => {
    await commit(publish(message('gone')))
    await commit(subscribe('wallet', topic), acknowledge('wallet', 'gone'))
    await commit(publish(message('gone', { attestation: 'late' })))
    expect(await rowOf('gone')).toMatchObject({ message: '', attestation: null, bytes: 0 })
  })

  test('attack: a mailbox has at most 1,000', async () => {
    const texts = (count: number) => Array.from({ length: count }, () => message(`text ${lastSeq}`))
    await commit(publish(...texts(990)))
    const { results, stored } = await commit(
      publish(...texts(11), message('other', { topic: 'other' })),
    )
    expect(results).toEqual([[...Array<string>(10).fill('stored'), 'full', 'stored']])
    expect(stored).toHaveLength(11)
    expect(await waiting()).toHaveLength(1_000)
    // A known message is still accepted.
    const known = (await waiting())[0]!.id
    expect(await commit(publish(message('new'), message(known)))).toMatchObject({
      results: [['full', 'known']],
      stored: [],
    })
    // There is room again once one is acknowledged.
    await commit(subscribe('wallet', topic), acknowledge('wallet', known))
    expect(await commit(publish(message('new')))).toMatchObject({ results: [['stored']] })
    expect(await commit(publish(message('newer')))).toMatchObject({ results: [['full']] })
  })

  test('attack: a mailbox has at most 8 MiB', async () => {
    const mib = 1024 * 1024
    const text = (id: string, bytes: number) => message(id, { message: 'x'.repeat(bytes) })
    expect(
      await commit(
        publish(text('five', 5 * mib), text('too large', 3 * mib + 1), text('three', 3 * mib - 1)),
      ),
    ).toMatchObject({ results: [['stored', 'full', 'stored']] })
    expect(await commit(publish(text('two', 2)))).toMatchObject({ results: [['full']] })
    expect(await commit(publish(text('one', 1)))).toMatchObject({ results: [['stored']] })
    expect(await commit(publish(text('none', 1)))).toMatchObject({ results: [['full']] })
    expect(await waitingIds()).toEqual(['five', 'three', 'one'])
    // There is room again once a message is acknowledged.
    await commit(subscribe('wallet', topic), acknowledge('wallet', 'five'))
    expect(await commit(publish(text('again', 5 * mib)))).toMatchObject({ results: [['stored']] })
    expect(await commit(publish(text('more', 1)))).toMatchObject({ results: [['full']] })
  })
})

describe('acknowledged messages', () => {
  const few = ['wallet']
  test.each<[what: string, subscribers: string[], receipts: Write[], dropped: boolean]>([
    ['by their only subscriber', few, [acknowledge('wallet', 'one')], true],
    ['by a client that is not subscribed', few, [acknowledge('other', 'one')], false],
    ['without subscribers', [], [acknowledge('wallet', 'one')], true],
    ['by their publisher', ['app', 'wallet'], [acknowledge('app', 'one')], false],
    ['by their publisher, the only subscriber', ['app'], [acknowledge('app', 'one')], false],
    ['by all but the publisher', ['app', 'wallet'], [acknowledge('wallet', 'one')], true],
    ['by one of two', ['wallet', 'other'], [acknowledge('wallet', 'one')], false],
    [
      'by both of two',
      ['wallet', 'other'],
      [acknowledge('wallet', 'one'), acknowledge('other', 'one')],
      true,
    ],
    ['by one of three', ['app', 'wallet', 'other'], [acknowledge('wallet', 'one')], false],
    [
      'by two of three, all but the publisher',
      ['app', 'wallet', 'other'],
      [acknowledge('wallet', 'one'), acknowledge('other', 'one')],
      true,
    ],
    [
      'by the only subscriber that is left',
      ['wallet', 'other'],
      [unsubscribe('other', topic), acknowledge('wallet', 'one')],
      true,
    ],
  ])('%s', async (_, subscribers, receipts, isDropped) => {
    await commit(
      ...subscribers.map((clientId) => subscribe(clientId, topic)),
      publish(message('one'), message('two', { charge: '' })),
    )
    const charges = isDropped ? ['charge of one'] : []
    expect((await commit(...receipts)).dropped).toEqual(charges)
    expect(await rowOf('one')).toMatchObject(
      isDropped
        ? { message: '', bytes: 0, forget_at: now + knownMs }
        : { message: 'one', bytes: 3 },
    )
    expect(await waitingIds('new')).toEqual(isDropped ? ['two'] : ['one', 'two'])
    const received = receipts.flatMap((write) =>
      write.kind === 'acknowledge' ? write.clientId : [],
    )
    for (const clientId of received.filter((it) => it !== 'app'))
      expect(await waitingIds(clientId)).toEqual(['two'])
    // A repeated receipt has no effect.
    expect((await commit(...receipts)).dropped).toEqual([])
    // A message without a charge releases none.
    expect((await commit(acknowledge('wallet', 'two'))).dropped).toEqual([])
  })

  test('are dropped by receipts of several commits', async () => {
    await commit(
      subscribe('wallet', topic),
      subscribe('other', topic),
      publish(message('one'), message('two')),
    )
    expect((await commit(acknowledge('wallet', 'one', 'unknown'))).dropped).toEqual([])
    // The subscribers are cached: a new one changes them.
    await commit(subscribe('third', topic))
    const both = [acknowledge('wallet', 'two'), acknowledge('other', 'one', 'two')]
    expect((await commit(...both)).dropped).toEqual([])
    const dropped = ['charge of one', 'charge of two']
    expect((await commit(acknowledge('third', 'one', 'two'))).dropped).toEqual(dropped)
    // Clients that unsubscribed do not have to acknowledge.
    await commit(publish(message('three')), acknowledge('wallet'), unsubscribe('third', topic))
    expect((await commit(acknowledge('wallet', 'three'))).dropped).toEqual([])
    await commit(unsubscribe('wallet', topic))
    expect((await commit(acknowledge('other', 'three'))).dropped).toEqual(['charge of three'])
  })

  test.each([1100, 1116])('with tag %i are kept for later subscribers', async (tag) => {
    await commit(subscribe('wallet', topic), publish(message('one', { tag }), message('two')))
    expect((await commit(acknowledge('wallet', 'one', 'two'))).dropped).toEqual(['charge of two'])
    expect([await waitingIds('wallet'), await waitingIds('new')]).toEqual([[], ['one']])
  })

  test('of all subscribers are stored, however many there are', async () => {
    const subscribers = Array.from({ length: 7 }, (_, index) => `wallet ${index}`)
    await commit(...subscribers.map((id) => subscribe(id, topic)), publish(message('one')))
    const receipts = subscribers.map((id) => acknowledge(id, 'one'))
    expect((await commit(...receipts)).dropped).toEqual(['charge of one'])
  })

  test('attack: of clients without a subscription are stored for five of them', async () => {
    const subscribers = ['wallet', 'other', 'third']
    await commit(...subscribers.map((id) => subscribe(id, topic)), publish(message('one')))
    const strangers = Array.from({ length: 8 }, (_, index) => `stranger ${index}`)
    const receipts = strangers.map((id) => acknowledge(id, 'one'))
    await commit(...receipts.slice(0, 3))
    await commit(...receipts.slice(3))
    await commit(acknowledge('wallet', 'one'))
    for (const [index, id] of strangers.entries())
      expect([id, await waitingIds(id)]).toEqual([id, index < 5 ? [] : ['one']])
    expect(await waitingIds('wallet')).toEqual([])
    expect((await commit(acknowledge('other', 'one'))).dropped).toEqual([])
    expect((await commit(acknowledge('third', 'one'))).dropped).toEqual(['charge of one'])
  })

  test('are found by their `seq`, as long as their row exists', async () => {
    await commit(subscribe('wallet', topic), publish(message('one'), message('two')))
    const receipt = (seq: number, at: number) =>
      committer.commit(
        [{ kind: 'acknowledge', clientId: 'wallet', receipts: [{ topic, id: `seq ${seq}`, seq }] }],
        at,
        false,
      )
    expect((await receipt(1, now + knownMs - 1)).dropped).toEqual(['charge of one'])
    // A repeated receipt has no effect.
    expect((await receipt(1, now + knownMs - 1)).dropped).toEqual([])
    // Later, the row may be gone, so the id is compared.
    expect((await receipt(2, now + knownMs)).dropped).toEqual([])
    expect((await receipt(5, now)).dropped).toEqual([])
  })
})

describe('error: a failed commit', () => {
  /** Makes acknowledgements fail until the returned function is called. */
  async function failAcks() {
    const { db } = storage
    await sql`create trigger fail before insert on relay_acks begin select raise(abort, 'no disk'); end`.execute(
      db,
    )
    return () => sql`drop trigger fail`.execute(db)
  }

  test('has no effect, not even on later commits', async () => {
    await commit(
      subscribe('wallet', topic),
      subscribe('other', topic),
      publish(message('one'), message('invitation', { tag: 1100 })),
    )
    const repair = await failAcks()
    const writes = [unsubscribe('other', topic), acknowledge('wallet', 'one', 'invitation')]
    await expect(commit(publish(message('two')), ...writes)).rejects.toThrow('no disk')
    await repair()
    expect(await topicsOf('other')).toEqual([topic])
    expect((await commit(acknowledge('wallet', 'one'))).dropped).toEqual([])
    expect(await waitingIds('other')).toEqual(['one', 'invitation'])
    expect((await commit(acknowledge('other', 'one'))).dropped).toEqual(['charge of one'])
  })

  test('makes writes fail that were added before it ended', async () => {
    const one = publish(message('one', { tag: 1100 }))
    await commit(one)
    const repair = await failAcks()
    const bad = committer.commit([acknowledge('wallet', 'one')], now, false)
    const following = committer.commit([publish(message('two'))], now, true)
    await expect(bad).rejects.toThrow('no disk')
    await expect(following).rejects.toThrow('the previous commit failed')
    await repair()
    await expect(committer.commit([publish(message('two'))], now, true)).rejects.toThrow(
      'previous commit',
    )
    expect(await commit(publish(message('three')))).toMatchObject({ results: [['stored']] })
    expect(await committer.commit([publish(message('four'))], now, true)).toMatchObject({
      results: [['stored']],
    })
    expect(await waitingIds()).toEqual(['one', 'three', 'four'])
  })
})

test('attack: a sweep deletes 500 forgotten messages, or 500 subscriptions of clients absent for 30 days', async () => {
  const { db } = storage
  const row = (seq: number, forgetAt: number) => ({
    topic,
    id: `${seq}`,
    digest: toDigest({ topic, id: `${seq}` }),
    seq,
    message: 'text',
    bytes: 4,
    attestation: null,
    tag: 1108,
    publisher: 'app',
    published_at: 1,
    expires_at: forgetAt,
    forget_at: forgetAt,
    charge: '',
  })
  const time = 40 * dayMs
  const rows = Array.from({ length: 501 }, (_, index) => row(index + 1, 10))
  await insertMessages(db, [...rows, row(1_000, time)], new Map())
  const renewed = { absent: time - 30 * dayMs, present: time - 30 * dayMs + 1 }
  for (const [client_id, subscribed_at] of Object.entries(renewed))
    await insertSubscriptions(db, [{ client_id, topic, subscribed_at }])
  const others = Array.from({ length: 500 }, (_, index) => `topic ${index}`)
  await insertSubscriptions(
    db,
    others.map((topic) => ({ client_id: 'absent', topic, subscribed_at: 1 })),
  )
  const count = async () => (await db.selectFrom('relay_messages').select('seq').execute()).length
  expect([await committer.sweep(time), await count()]).toEqual([true, 2])
  expect([await committer.sweep(time), await count()]).toEqual([true, 1])
  expect((await topicsOf('absent')).length).toBe(1)
  expect(await committer.sweep(time)).toBe(false)
  expect([await topicsOf('absent'), await topicsOf('present')]).toEqual([[], [topic]])
})
