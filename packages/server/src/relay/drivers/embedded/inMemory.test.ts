import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openStorage, type Storage } from '../../../storage/openStorage.ts'
import { RelayStorageError } from '../../errors.ts'
import {
  PartialPublishError,
  type NewMessage,
  type RelayDriver,
  type StoredMessage,
} from '../RelayDriver.ts'
import { countItems } from './countItems.ts'
import { createCommitter, type Committer } from './createCommitter.ts'
import { createEmbeddedDriver } from './createEmbeddedDriver.ts'

const threads = vi.hoisted(() => ({ committer: undefined as Committer | undefined }))
// No thread is started: a database in a file or on a server is replaced by one in memory.
vi.mock('./startCommitter.ts', () => ({ startCommitter: () => threads.committer }))

const startMs = 1_000_000
const topic = 'ab'.repeat(32)
const message = (text: string, change: Partial<NewMessage> = {}): NewMessage => ({
  topic,
  id: text,
  message: text,
  attestation: undefined,
  tag: 1108,
  publisher: 'app',
  ttlSeconds: 300,
  ...change,
})
const textsOf = (messages: readonly StoredMessage[]) => messages.map((one) => one.message)

let storage: Storage
let now = startMs
const drivers: RelayDriver[] = []
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  now = startMs
  storage = await openStorage({ dataDir: ':memory:' })
})
afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.close()
  await storage.close()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Opens a driver on the database. `location` pretends that it is elsewhere. */
async function open(location = storage.location) {
  const pushed: StoredMessage[] = []
  const dropped: string[] = []
  const errors: unknown[] = []
  const driver = await createEmbeddedDriver({
    storage: { ...storage, location },
    now: () => now,
    onMessages: (messages) => void pushed.push(...messages),
    onGap: () => {},
    onDropped: (charges) => void dropped.push(...charges),
    onError: (error) => void errors.push(error),
  })
  drivers.push(driver)
  const read = (clientId = 'wallet', limit = 100) =>
    driver.read({ clientId, topics: [topic], afterSeq: 0, limit })
  return { driver, pushed, dropped, errors, read }
}

const countRows = async () =>
  (await storage.db.selectFrom('relay_messages').select('seq').execute()).length

describe('a published message', () => {
  test('is stored and pushed with its times, and is read until it expires', async () => {
    const { driver, pushed, read } = await open()
    const outcomes = await driver.publish([
      message('a', { attestation: 'proof' }),
      message('b', { tag: 1109 }),
    ])
    expect(outcomes).toEqual(['stored', 'stored'])
    const { ttlSeconds: _, ...a } = message('a', { attestation: 'proof' })
    const { ttlSeconds: __, ...b } = message('b', { tag: 1109 })
    const times = { publishedAt: startMs, expiresAt: startMs + 300_000 }
    const seq = startMs * 1_000
    const stored = [
      { ...a, ...times, seq },
      { ...b, ...times, seq: seq + 1 },
    ]
    expect(pushed).toEqual(stored)
    expect(await read()).toEqual({ messages: stored, hasMore: false })
    expect(await read('app')).toEqual({ messages: [], hasMore: false })
    expect(await read('wallet', 1)).toEqual({ messages: [stored[0]], hasMore: true })
    expect(await driver.stats()).toEqual({ topics: 1, messages: 2, bytes: 7 })
    now += 300_000
    expect(await read()).toEqual({ messages: [], hasMore: false })
    expect(await driver.stats()).toEqual({ topics: 0, messages: 0, bytes: 0 })
  })

  test('is pushed once, even if it is published again', async () => {
    const { driver, pushed } = await open()
    expect(await driver.publish([message('a')])).toEqual(['stored'])
    expect(await driver.publish([message('a'), message('b')])).toEqual(['known', 'stored'])
    expect(textsOf(pushed)).toEqual(['a', 'b'])
  })

  test('has a larger `seq` than earlier messages, even if the clock is set back', async () => {
    const first = await open()
    await first.driver.publish([message('a')])
    now = 5
    await first.driver.publish([message('b')])
    // After a restart too.
    const { driver, pushed } = await open()
    await driver.publish([message('c')])
    now = startMs + 1
    await driver.publish([message('d')])
    const seqs = [...first.pushed, ...pushed].map(({ seq }) => seq)
    const seq = startMs * 1_000
    expect(seqs).toEqual([seq, seq + 1, seq + 2, seq + 1_000])
  })

  test('is dropped with its charge once every subscriber has acknowledged it', async () => {
    const { driver, dropped, read } = await open()
    await driver.subscribe('wallet', [topic])
    await driver.publish([message('a', { charge: 'charge of a' }), message('b')])
    await driver.acknowledge('wallet', [{ topic, id: 'a' }])
    expect(dropped).toEqual(['charge of a'])
    expect(textsOf((await read()).messages)).toEqual(['b'])
  })

  test('without topics, nothing is read', async () => {
    const { driver } = await open()
    await driver.publish([message('a')])
    const options = { clientId: 'wallet', topics: [], afterSeq: 0, limit: 10 }
    expect(await driver.read(options)).toEqual({ messages: [], hasMore: false })
  })
})

test('subscriptions are stored until they are removed', async () => {
  const { driver } = await open()
  await driver.subscribe('wallet', ['a', 'b'])
  expect((await driver.topicsOf('wallet')).toSorted()).toEqual(['a', 'b'])
  await driver.unsubscribe('wallet', ['a'])
  expect(await driver.topicsOf('wallet')).toEqual(['b'])
  expect(await driver.topicsOf('app')).toEqual([])
})

describe('the charges of waiting messages', () => {
  const messages = Array.from({ length: 1_001 }, (_, index) =>
    message(String(index), {
      charge: `charge ${index}`,
      topic: String(index).padStart(64, '0'),
    }),
  )

  test('are read in pages of at most 1,000', async () => {
    const { driver } = await open()
    await driver.publish(messages)
    const pages: string[][] = []
    for await (const page of driver.charges!()) pages.push([...page])
    expect(pages.map(({ length }) => length)).toEqual([1_000, 1])
    expect(pages.flat()).toEqual(messages.map(({ charge }) => charge))
  })

  test('are no longer read once the driver is closed', async () => {
    const { driver } = await open()
    await driver.publish(messages)
    let pages = 0
    for await (const _ of driver.charges!()) {
      pages += 1
      await driver.close()
    }
    expect(pages).toBe(1)
  })
})

describe('expired messages are deleted', () => {
  const expire = async (count: number) => {
    const { driver } = await open()
    await driver.publish(
      Array.from({ length: count }, (_, index) =>
        message(String(index), { topic: String(index).padStart(64, '0') }),
      ),
    )
    await driver.close()
    now += 24 * 60 * 60_000
  }

  test('on start, in several batches', async () => {
    await expire(1_001)
    await open()
    await expect.poll(countRows).toBe(0)
  })

  test('every 30 s, until the driver is closed', async () => {
    const { driver } = await open()
    await driver.publish([message('a')])
    now += 24 * 60 * 60_000
    vi.advanceTimersByTime(29_999)
    await new Promise(setImmediate)
    expect(await countRows()).toBe(1)
    vi.advanceTimersByTime(1)
    await expect.poll(countRows).toBe(0)
    await driver.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('error: a failed attempt is reported, and the next one succeeds', async () => {
    await expire(1)
    const select = vi.spyOn(storage.db, 'deleteFrom').mockImplementation(() => {
      throw new Error('disk full')
    })
    const { errors } = await open()
    await expect.poll(() => errors).toEqual([new Error('disk full')])
    select.mockRestore()
    vi.advanceTimersByTime(30_000)
    await expect.poll(countRows).toBe(0)
  })
})

describe('error: a write that fails', () => {
  const failWith = (error: unknown) =>
    vi.spyOn(storage.db, 'transaction').mockImplementation(() => {
      throw error
    })
  const errorWith = (code: unknown) => Object.assign(new Error('failed'), { code })

  test.each(['21000', '22021', '23502', '42P01', '54000'])(
    'because of its data, with the code %s, is rejected at once',
    async (code) => {
      const { driver, errors } = await open()
      failWith(errorWith(code))
      await expect(driver.publish([message('a')])).rejects.toThrow(RelayStorageError)
      expect([driver.error(), errors]).toEqual([undefined, []])
    },
  )

  test.each([
    ['57P01', errorWith('57P01')],
    ['220210', errorWith('220210')],
    ['x22021', errorWith('x22021')],
    ['22', errorWith('22')],
    ['SQLITE_FULL', errorWith('SQLITE_FULL')],
    ['none', new Error('failed')],
    ['22021 but no error', { code: '22021' }],
  ])('for another reason, with the code %s, waits for the store', async (_, error) => {
    const { driver, errors } = await open()
    const transaction = failWith(error)
    const published = driver.publish([message('a')])
    await expect.poll(() => driver.error()).toBe('the database is unavailable')
    expect(errors).toEqual([error])
    transaction.mockRestore()
    expect(await published).toEqual(['stored'])
    expect(driver.error()).toBeUndefined()
  })
})

test.each<[string, (text: string) => { text: string; attestation?: string }]>([
  ['messages', (text) => ({ text })],
  ['attestations', (attestation) => ({ text: '', attestation })],
])('attack: while the database fails, at most 64 MiB of %s wait', async (_, toMessage) => {
  const { driver } = await open()
  vi.spyOn(storage.db, 'transaction').mockImplementation(() => {
    throw new Error('offline')
  })
  const refused: string[] = []
  const write = (id: string, promise: Promise<unknown>) =>
    promise.catch(() => void refused.push(id))
  const waiting = [write('subscription', driver.subscribe('wallet', [topic]))]
  const { text, ...more } = toMessage('x'.repeat(2 ** 20))
  for (let id = 1; id <= 64; id += 1)
    waiting.push(write(`${id}`, driver.publish([message(text, { ...more, id: `${id}` })])))
  // The subscription counts 200 bytes, so the last MiB has no room.
  await expect.poll(() => refused).toEqual(['64'])
  await driver.close()
  await Promise.all(waiting)
  expect(refused).toHaveLength(65)
})

describe('a database outside this process', () => {
  const closed: string[] = []
  const sizes: number[] = []
  /** The number of items in each write of each commit. */
  const items: number[][] = []
  beforeEach(() => {
    closed.length = sizes.length = items.length = 0
    const committer = createCommitter(storage.db)
    threads.committer = {
      ...committer,
      commit(writes, ...rest) {
        sizes.push(writes.length)
        items.push(writes.map((write) => countItems({ ...write, address: '' })))
        return committer.commit(writes, ...rest)
      },
      close: async () => void closed.push('thread'),
    }
  })
  const publishMany = async (location: Storage['location'], addresses = ['a']) => {
    const { driver } = await open(location)
    const texts = Array.from({ length: 1_200 }, (_, index) => String(index))
    const publishing = texts.map((text, index) =>
      driver.publish([message(text)], addresses[index % addresses.length]),
    )
    await Promise.all(publishing)
    await driver.close()
  }

  test('in a file gets large commits from a thread', async () => {
    await publishMany({ dataDir: '/data' })
    expect([sizes, closed]).toEqual([[1_200], ['thread']])
  })

  test.each([
    [1_000, 'one address', ['a']],
    [128, 'two addresses', ['a', 'b']],
  ])('on a server gets commits of at most %i messages from %s', async (most, _, addresses) => {
    await publishMany({ databaseUrl: 'postgres://db', dataDir: ':memory:' }, addresses)
    expect([Math.max(...sizes), closed]).toEqual([most, ['thread']])
  })

  test('attack: batches are split, and the write of another address is in the first commit', async () => {
    const { driver } = await open({ dataDir: '/data' })
    const texts = Array.from({ length: 500 }, (_, index) => String(index))
    const topics = texts.map((text) => text.padStart(64, '0'))
    const receipts = texts.map((id) => ({ topic, id }))
    const batch = driver.publish(
      texts.map((text) => message(text)),
      'a',
    )
    const [outcomes, other] = await Promise.all([batch, driver.publish([message('other')], 'b')])
    expect(outcomes).toEqual(Array(500).fill('stored'))
    expect(other).toEqual(['stored'])
    expect(items[0]).toEqual([64, 64, 1])
    await driver.subscribe('wallet', topics, 'a')
    expect((await driver.topicsOf('wallet')).toSorted()).toEqual(topics.toSorted())
    await driver.acknowledge('wallet', receipts, 'a')
    await driver.unsubscribe('wallet', topics, 'a')
    expect(await driver.topicsOf('wallet')).toEqual([])
    expect(Math.max(...items.flat())).toBe(64)
    expect(items.flat().reduce((sum, count) => sum + count)).toBe(2_001)
  })

  test('error: a batch of which one part cannot be stored has the outcomes of the others', async () => {
    const committer = threads.committer!
    threads.committer = {
      ...committer,
      async commit(writes, ...rest) {
        const isFaulty = writes.some(
          (write) => write.kind === 'publish' && write.messages.some(({ id }) => id === '129'),
        )
        if (isFaulty) throw Object.assign(new Error('failed'), { code: '22021' })
        return committer.commit(writes, ...rest)
      },
    }
    const { driver } = await open({ dataDir: '/data' })
    const texts = Array.from({ length: 130 }, (_, index) => String(index))
    const error = await driver
      .publish(texts.map((text) => message(text)))
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(PartialPublishError)
    const { outcomes } = error as PartialPublishError
    expect(outcomes).toHaveLength(130)
    expect(outcomes).toEqual([...Array(128).fill('stored'), undefined, undefined])
  })

  test('gets commits of at most 4 MiB', async () => {
    const { driver } = await open({ dataDir: '/data' })
    const publishing = ['a', 'b', 'c', 'd', 'e'].map((id) =>
      driver.publish([message('x'.repeat(2 ** 20), { id })]),
    )
    await Promise.all(publishing)
    expect(sizes).toEqual([4, 1])
  })

  test('in memory is written to in this thread', async () => {
    await publishMany({ dataDir: ':memory:' })
    expect([sizes, closed]).toEqual([[], []])
  })

  test('error: if it fails on start, the thread is closed', async () => {
    vi.spyOn(storage.db, 'transaction').mockImplementation(() => {
      throw new Error('offline')
    })
    await expect(open({ dataDir: '/data' })).rejects.toThrow('offline')
    expect(closed).toEqual(['thread'])
  })
})
