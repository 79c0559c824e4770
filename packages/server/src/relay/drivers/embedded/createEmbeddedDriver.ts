import {
  addDigests,
  countMailboxes,
  findSubscriptions,
  lastSeq,
  lockWriters,
  readCharges,
  readWaiting,
} from '../../../storage/relay.ts'
import type { RelayMessagesTable } from '../../../storage/Database.ts'
import { sqliteFileOf, type Storage } from '../../../storage/openStorage.ts'
import { startCheckpoints } from '../../../storage/startCheckpoints.ts'
import type { DriverEvents, RelayDriver, StoredMessage } from '../RelayDriver.ts'
import { itemsPerWrite, publishParts, sizeOf, splitItems } from '../writeParts.ts'
import { countItems, laneOf } from './countItems.ts'
import { createGroupCommit } from '../createGroupCommit.ts'
import type { Write } from './commitWrites.ts'
import { createCommitter } from './createCommitter.ts'
import { startCommitter } from './startCommitter.ts'

export type EmbeddedDriverOptions = DriverEvents & {
  storage: Storage
  /** Unix time in ms. */
  now: () => number
  /** Called once when the store becomes unavailable, and after each failed sweep. */
  onError?: (error: unknown) => void
}

const sweepEveryMs = 30_000
const readBytes = 1024 * 1024
/** Size that a write without messages counts as. */
const smallBytes = 200
/** Maximum messages, receipts and topics in one commit while several addresses write. Each takes about 50 µs. */
const maxSharedItems = 128
/** Maximum messages, receipts and topics in one commit on PostgreSQL. */
const maxPostgresItems = 1_000
/** Maximum charges in one page. */
const chargesAtOnce = 1_000

/** A write that waits for a commit, its sender's address and its size. */
type QueuedWrite = Write & { address: string; bytes: number }

/**
 * The driver for a single relay process: mailboxes in the server's database, fan-out in memory. Two such
 * processes on one database would not receive each other's messages; several processes need Redis.
 */
export async function createEmbeddedDriver(options: EmbeddedDriverOptions): Promise<RelayDriver> {
  const { storage, now, onMessages, onDropped = () => {}, onError = () => {} } = options
  const { db, location } = storage
  const file = sqliteFileOf(location)
  let stopCheckpoints: (() => Promise<void>) | undefined
  // An in-memory database has only one connection.
  const isShared = location.databaseUrl !== undefined || location.dataDir !== ':memory:'
  const committer = isShared ? startCommitter(location) : createCommitter(db)
  try {
    await prepare(db)
  } catch (error) {
    await committer.close()
    throw error
  }
  // `seq` increases even across restarts, and if the clock is set back.
  let seq = await lastSeq(db)
  const nextSeq = () => (seq = Math.max(seq + 1, now() * 1000))

  const group = createGroupCommit<QueuedWrite, unknown>({
    isAhead: true,
    commit: async (writes, follows) => {
      if (file) stopCheckpoints ??= startCheckpoints(file, onError)
      for (const write of writes)
        if (write.kind === 'publish')
          for (const message of write.messages) message.seq ||= nextSeq()
      const { results, stored, dropped } = await committer.commit(writes, now(), follows)
      onDropped(dropped)
      const isNew = new Set(stored)
      const published = writes.flatMap((write) => (write.kind === 'publish' ? write.messages : []))
      onMessages(published.filter(({ seq }) => isNew.has(seq)))
      return results
    },
    isFault: isDataFault,
    count: countItems,
    ...(location.databaseUrl !== undefined && { maxItems: maxPostgresItems }),
    maxSharedItems,
    laneOf,
    weigh: ({ bytes }) => bytes,
    onError,
  })

  async function changeSubscriptions(
    kind: 'subscribe' | 'unsubscribe',
    { topics, ...client }: { clientId: string; topics: readonly string[]; address: string },
  ) {
    const part = { kind, ...client, bytes: smallBytes }
    await Promise.all(splitItems(topics).map((topics) => group.write({ ...part, topics })))
  }

  const closing = new AbortController()
  let sweeping: Promise<void> | undefined
  /** Runs one sweep at a time. Deletes rows in small batches, which do not block the database for long. */
  function startSweep() {
    sweeping ??= sweep()
      .catch(onError)
      .finally(() => (sweeping = undefined))
  }
  async function sweep() {
    while (!closing.signal.aborted && (await committer.sweep(now())))
      await new Promise(setImmediate)
  }
  const timer = setInterval(startSweep, sweepEveryMs)
  // Makes the committer's thread start while the rest of the server starts.
  startSweep()

  return {
    publish(messages, address = '') {
      const publishedAt = now()
      const stored = messages.map((message): StoredMessage => {
        // Listed one by one, which is several times faster than a spread.
        return {
          topic: message.topic,
          id: message.id,
          message: message.message,
          attestation: message.attestation,
          tag: message.tag,
          publisher: message.publisher,
          charge: message.charge,
          // `seq` is assigned in the order of commits.
          seq: 0,
          publishedAt,
          expiresAt: publishedAt + message.ttlSeconds * 1000,
        }
      })
      const write = (messages: readonly StoredMessage[]) => {
        const bytes = sizeOf(messages)
        return group.write({ kind: 'publish', messages, bytes, address }) as ReturnType<
          RelayDriver['publish']
        >
      }
      // Most calls have one message, and parts would cost 7 % of the throughput.
      if (stored.length <= itemsPerWrite) return write(stored)
      return publishParts(stored.length, splitItems([...stored.keys()]), (indexes) =>
        write(indexes.map((index) => stored[index]!)),
      )
    },
    subscribe: (clientId, topics, address = '') =>
      changeSubscriptions('subscribe', { clientId, topics, address }),
    unsubscribe: (clientId, topics, address = '') =>
      changeSubscriptions('unsubscribe', { clientId, topics, address }),
    topicsOf: (clientId, nextTurn) => findSubscriptions(db, clientId, nextTurn),
    async read(options) {
      if (options.topics.length === 0) return { messages: [], hasMore: false }
      const page = await readWaiting(db, { ...options, bytes: readBytes, now: now() })
      return { messages: page.rows.map(toMessage), hasMore: page.hasMore }
    },
    async acknowledge(clientId, receipts, address = '') {
      const kind = 'acknowledge'
      const part = { kind, clientId, address, bytes: smallBytes } as const
      await Promise.all(splitItems(receipts).map((receipts) => group.write({ ...part, receipts })))
    },
    async *charges() {
      let page: { charges: string[]; lastSeq: number | undefined } | undefined
      do {
        const afterSeq: number = page?.lastSeq ?? 0
        page = await readCharges(db, { afterSeq, limit: chargesAtOnce, now: now() })
        yield page.charges
        // Lets other tasks run between two pages.
        await new Promise(setImmediate)
      } while (page.lastSeq !== undefined && !closing.signal.aborted)
    },
    // `onMessages` receives every message; the hub selects those with subscribers.
    watch() {},
    unwatch() {},
    stats: () => countMailboxes(db, now()),
    error: () => {
      const error = group.error()
      return error === undefined ? undefined : 'the database is unavailable'
    },
    async close() {
      closing.abort()
      clearInterval(timer)
      await group.close()
      await sweeping
      await committer.close()
      await stopCheckpoints?.()
    },
  }
}

/** Waits for the last transaction of a killed relay, and migrates rows from older versions. */
async function prepare(db: Storage['db']) {
  await db.transaction().execute(lockWriters)
  await addDigests(db)
}

function toMessage(row: RelayMessagesTable): StoredMessage {
  return {
    topic: row.topic,
    id: row.id,
    seq: row.seq,
    message: row.message,
    attestation: row.attestation ?? undefined,
    tag: row.tag,
    publisher: row.publisher,
    publishedAt: row.published_at,
    expiresAt: row.expires_at,
  }
}

/**
 * Whether the statement or its values caused an error, according to PostgreSQL's error classes. Errors of SQLite,
 * such as a full disk, are treated as failures of the store.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
function isDataFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(21|22|23|42|54)[0-9A-Z]{3}$/.test(code)
}
