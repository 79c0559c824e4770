import { hash } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import { CompiledQuery, PostgresAdapter, sql, type Kysely } from 'kysely'
import type {
  Database,
  RelayAcksTable,
  RelayMessagesTable,
  RelaySubscriptionsTable,
} from './Database.ts'

/** `subscribed_at` is updated at most once a day, so that most repeated subscribes write nothing. */
const subscribedEveryMs = 24 * 60 * 60_000
/**
 * Maximum rows or values in one statement. 500 rows with three columns are far below SQLite's limit of 32,766
 * bound values.
 */
const rowsAtOnce = 500

/** Condition for messages that still have a body. Raw SQL, so that the partial index is used. */
const waits = sql<boolean>`bytes > 0`

/** The key of the advisory lock, used for nothing else in this database. */
const writerLock = 7_263_517

/**
 * Locks out other writers of messages until the transaction ends. On PostgreSQL the last transaction of a
 * killed relay may still be in flight when the next relay starts. Without the lock, the new relay would not see
 * the messages of that transaction and would store them twice. SQLite allows only one writer.
 *
 * On PostgreSQL, it also makes the transaction plan its statements without their values. A plan with the values copies
 * each message several times, so that inserting a message of 1 MiB took 24 ms instead of 17.
 */
export async function lockWriters(transaction: Kysely<Database>): Promise<void> {
  if (!isPostgres(transaction)) return
  const lock = sql`pg_advisory_xact_lock(${writerLock})`
  const planning = sql`set_config('plan_cache_mode', 'force_generic_plan', true)`
  await sql`select ${lock}, ${planning}`.execute(transaction)
}

/**
 * Condition that a column has one of some values. On PostgreSQL, these are one array: planning a list of 500 values took
 * several times longer than the rest of the statement.
 */
function isOneOf(
  db: Kysely<Database>,
  column: 'seq' | 'digest' | 'topic' | 'client_id',
  values: readonly (number | string)[],
) {
  const list = isPostgres(db) ? sql`= any(${values})` : sql`in (${sql.join(values)})`
  return sql<boolean>`${sql.ref(column)} ${list}`
}

function isPostgres(db: Kysely<Database>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** The largest `seq`; 0 if there are no messages. */
export async function lastSeq(db: Kysely<Database>): Promise<number> {
  const row = await db
    .selectFrom('relay_messages')
    .select('seq')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? 0
}

/** The number and bytes of messages that wait on each topic. Topics without messages are omitted. */
export async function weighTopics(db: Kysely<Database>, topics: readonly string[], now: number) {
  const weights = new Map<string, { messages: number; bytes: number }>()
  for (let start = 0; start < topics.length; start += rowsAtOnce) {
    const rows = await db
      .selectFrom('relay_messages')
      .select(({ fn }) => [
        'topic',
        fn.countAll<number>().as('messages'),
        fn.sum<number>('bytes').as('bytes'),
      ])
      .where(isOneOf(db, 'topic', topics.slice(start, start + rowsAtOnce)))
      .where(waits)
      .where('expires_at', '>', now)
      .groupBy('topic')
      .execute()
    for (const { topic, messages, bytes } of rows) weights.set(topic, { messages, bytes })
  }
  return weights
}

/** Identifies a message. */
export type MessageName = { topic: string; id: string }

/** A stored message. */
export type FoundMessage = MessageName & {
  seq: number
  publisher: string
  tag: number
  charge: string
  /** Whether its body is stored. */
  isWaiting: boolean
}

/** Topic and id, concatenated, for use as a map key. */
export function keyOf({ topic, id }: MessageName): string {
  return topic + id
}

/**
 * The indexed number by which a message is looked up. Callers must also compare topic and id, because
 * two messages may have the same digest.
 *
 * @returns an integer of 52 bits, which both databases and JavaScript can represent.
 */
export function toDigest(name: MessageName): number {
  return parseInt(hash('sha256', keyOf(name)).slice(0, 13), 16)
}

/** Looks up messages. @returns those that are stored, by {@link keyOf}. */
export async function findMessages(
  db: Kysely<Database>,
  names: readonly (MessageName & { digest: number })[],
) {
  const found = new Map<string, FoundMessage>()
  if (names.length === 0) return found
  const wanted = new Set(names.map(keyOf))
  for (let start = 0; start < names.length; start += rowsAtOnce) {
    const rows = await db
      .selectFrom('relay_messages')
      .select(['topic', 'id', 'seq', 'publisher', 'tag', 'charge', 'bytes'])
      .where(
        isOneOf(
          db,
          'digest',
          names.slice(start, start + rowsAtOnce).map(({ digest }) => digest),
        ),
      )
      .execute()
    for (const { bytes, ...row } of rows)
      if (wanted.has(keyOf(row))) found.set(keyOf(row), { ...row, isWaiting: bytes > 0 })
  }
  return found
}

/** Adds the digest to rows from older versions. */
export async function addDigests(db: Kysely<Database>): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('relay_messages')
      .select(['topic', 'id', 'seq'])
      .where('digest', 'is', null)
      .limit(rowsAtOnce)
      .execute()
    if (rows.length === 0) return
    await db.transaction().execute(async (transaction) => {
      for (const row of rows)
        await transaction
          .updateTable('relay_messages')
          .set({ digest: toDigest(row) })
          .where('seq', '=', row.seq)
          .execute()
    })
  }
}

export type NewRelayMessage = RelayMessagesTable & { digest: number }

/**
 * Inserts new messages.
 *
 * @param statements - cache of SQL by number of rows, because compiling a statement takes longer than
 * running it.
 */
export async function insertMessages(
  db: Kysely<Database>,
  messages: readonly NewRelayMessage[],
  statements: Map<number, string>,
) {
  const rows = isPostgres(db) ? await insertSmall(db, messages) : messages
  for (let start = 0; start < rows.length;) {
    const count = insertCounts.find((size) => size <= rows.length - start)!
    const part = rows.slice(start, start + count)
    const text = statements.get(count) ?? toInsert(db, part)
    statements.set(count, text)
    const parameters = part.flatMap((message) => messageColumns.map((column) => message[column]))
    await db.executeQuery(CompiledQuery.raw(text, parameters))
    start += count
  }
}

/** Possible numbers of rows in one insert. Only a few, so that the prepared statements stay cached. */
const insertCounts = [64, 8, 1]

/** The columns of a message, with their types in PostgreSQL. */
const columnTypes = {
  topic: 'text',
  id: 'text',
  digest: 'bigint',
  seq: 'bigint',
  message: 'text',
  bytes: 'integer',
  attestation: 'text',
  tag: 'bigint',
  publisher: 'text',
  published_at: 'bigint',
  expires_at: 'bigint',
  forget_at: 'bigint',
  charge: 'text',
} satisfies Record<keyof RelayMessagesTable, string>

const messageColumns = Object.keys(columnTypes) as (keyof RelayMessagesTable)[]

function toInsert(db: Kysely<Database>, messages: readonly NewRelayMessage[]): string {
  const values = messages.map((message) =>
    Object.fromEntries(messageColumns.map((column) => [column, message[column]])),
  ) as NewRelayMessage[]
  return db.insertInto('relay_messages').values(values).compile().sql
}

/** Maximum size of a message that is sent in an array. PostgreSQL takes longer to read a large text from an array. */
const mostInArray = 8 * 1024

/**
 * Inserts small messages into PostgreSQL with one statement, which has an array for each column: with 500 messages, it
 * takes half as long as statements with a parameter for each value.
 *
 * @returns the messages that it does not insert.
 */
async function insertSmall(db: Kysely<Database>, messages: readonly NewRelayMessage[]) {
  const small = messages.filter(({ bytes }) => bytes <= mostInArray)
  if (small.length < 2) return messages
  const arrays = messageColumns.map(
    (column) => sql`${small.map((row) => row[column])}::${sql.raw(columnTypes[column])}[]`,
  )
  await db
    .insertInto('relay_messages')
    .columns(messageColumns)
    .expression(sql`select * from unnest(${sql.join(arrays)})`)
    .execute()
  return messages.filter(({ bytes }) => bytes > mostInArray)
}

/**
 * Adds an attestation that was published after its message.
 *
 * @param bytes - size of the attestation, which is added to that of the message.
 * @returns false if the message is no longer waiting or already has an attestation.
 */
export async function addAttestation(
  db: Kysely<Database>,
  { seq, attestation, bytes }: { seq: number; attestation: string; bytes: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('relay_messages')
    .set((row) => ({ attestation, bytes: row('bytes', '+', bytes) }))
    .where('seq', '=', seq)
    .where('attestation', 'is', null)
    .where(waits)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function insertSubscriptions(db: Kysely<Database>, rows: RelaySubscriptionsTable[]) {
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    await db
      .insertInto('relay_subscriptions')
      .values(rows.slice(start, start + rowsAtOnce))
      .onConflict((conflict) =>
        conflict
          .columns(['client_id', 'topic'])
          .doUpdateSet((row) => ({ subscribed_at: row.ref('excluded.subscribed_at') }))
          .where(
            'relay_subscriptions.subscribed_at',
            '<',
            (rows[0]?.subscribed_at ?? 0) - subscribedEveryMs,
          ),
      )
      .execute()
}

export async function deleteSubscriptions(
  db: Kysely<Database>,
  clientId: string,
  topics: readonly string[],
) {
  for (let start = 0; start < topics.length; start += rowsAtOnce)
    await db
      .deleteFrom('relay_subscriptions')
      .where('client_id', '=', clientId)
      .where(isOneOf(db, 'topic', topics.slice(start, start + rowsAtOnce)))
      .execute()
}

/** Maximum subscriptions of one query. */
const subscriptionsAtOnce = 500

/**
 * Finds the topics that a client is subscribed to.
 *
 * @param nextTurn - called before each further query.
 */
export async function findSubscriptions(
  db: Kysely<Database>,
  clientId: string,
  nextTurn?: () => Promise<void>,
): Promise<string[]> {
  const topics: string[] = []
  for (;;) {
    const rows = await db
      .selectFrom('relay_subscriptions')
      .select('topic')
      .where('client_id', '=', clientId)
      .where('topic', '>', topics.at(-1) ?? '')
      .orderBy('topic')
      .limit(subscriptionsAtOnce)
      .execute()
    for (const { topic } of rows) topics.push(topic)
    if (rows.length < subscriptionsAtOnce) return topics
    await nextTurn?.()
  }
}

type WaitingOptions = {
  clientId: string
  topics: readonly string[]
  afterSeq: number
  /** Maximum number of messages. */
  limit: number
  /** Maximum bytes in total. A single larger message is still returned. */
  bytes: number
  now: number
  /** Called before each further step of a read. A step searches about a thousand messages. */
  nextTurn?: (() => Promise<void>) | undefined
}

/**
 * Reads the messages that wait for a client on topics, oldest first. Selects the messages by size before
 * it reads bodies, because many large messages may be waiting.
 */
export async function readWaiting(
  db: Kysely<Database>,
  options: WaitingOptions,
): Promise<{ rows: RelayMessagesTable[]; hasMore: boolean }> {
  const { limit } = options
  const sizes = await findSizes(db, options)
  let bytes = 0
  const end = sizes.findIndex((row, index) => {
    bytes += row.bytes
    return index >= limit || (index > 0 && bytes > options.bytes)
  })
  const seqs = (end === -1 ? sizes : sizes.slice(0, end)).map(({ seq }) => seq)
  const hasMore = seqs.length < sizes.length
  if (seqs.length === 0) return { rows: [], hasMore }
  const rows = await db
    .selectFrom('relay_messages')
    .selectAll()
    .where(isOneOf(db, 'seq', seqs))
    // A message may have been acknowledged since the first query.
    .where(waits)
    .orderBy('seq')
    .execute()
  return { rows, hasMore }
}

/** How many messages a step of a read searches for topics. A topic has at most as many. */
const searchedAtOnce = limits.relayTopicMessages

/**
 * Finds the first messages that wait for a client, one more than the limit, in steps. A search of all topics at once would
 * block the event loop for long, if they have many messages that the client has published or acknowledged.
 */
async function findSizes(db: Kysely<Database>, options: WaitingOptions) {
  const { topics, limit, nextTurn } = options
  if (topics.length === 1) return findTopicSizes(db, options)
  let sizes: { seq: number; bytes: number }[] = []
  let rest = topics
  for (;;) {
    const { found, isFull } = await findTopics(db, options, rest)
    if (found.size > 0)
      sizes = [...sizes, ...(await findTopicSizes(db, options, [...found]))]
        .toSorted((a, b) => a.seq - b.seq)
        .slice(0, limit + 1)
    rest = rest.filter((topic) => !found.has(topic))
    if (!isFull || rest.length === 0) return sizes
    await nextTurn?.()
  }
}

/** Finds some of the topics with messages. @returns `isFull` if there may be others. */
async function findTopics(
  db: Kysely<Database>,
  { afterSeq }: WaitingOptions,
  topics: readonly string[],
) {
  const some = db
    .selectFrom('relay_messages')
    .select('topic')
    .where(isOneOf(db, 'topic', topics))
    .where('seq', '>', afterSeq)
    .where(waits)
    .limit(searchedAtOnce)
  const rows = await db
    .selectFrom(some.as('some'))
    .select(({ fn }) => ['topic', fn.countAll<number>().as('count')])
    .groupBy('topic')
    .execute()
  const count = rows.reduce((sum, row) => sum + row.count, 0)
  return { found: new Set(rows.map(({ topic }) => topic)), isFull: count === searchedAtOnce }
}

/** Finds the first messages that wait for a client on some topics, oldest first. */
function findTopicSizes(
  db: Kysely<Database>,
  { clientId, topics: all, afterSeq, limit, now }: WaitingOptions,
  topics = all,
) {
  return db
    .selectFrom('relay_messages')
    .select(['seq', 'bytes'])
    .where(isOneOf(db, 'topic', topics))
    .where('seq', '>', afterSeq)
    .where(waits)
    .where('expires_at', '>', now)
    .where('publisher', '<>', clientId)
    .where((eb) => {
      const acks = eb
        .selectFrom('relay_acks')
        .select('relay_acks.seq')
        .whereRef('relay_acks.seq', '=', 'relay_messages.seq')
        .where('relay_acks.client_id', '=', clientId)
      return eb.not(eb.exists(acks))
    })
    .orderBy('seq')
    .limit(limit + 1)
    .execute()
}

/**
 * Finds the subscribers of each topic that has one or two, such as a topic between an app and a wallet.
 *
 * @returns the client ids by topic; a single subscriber appears twice. Other topics are omitted.
 */
export async function findFewSubscribers(db: Kysely<Database>, topics: readonly string[]) {
  const few = new Map<string, string[]>()
  for (let start = 0; start < topics.length; start += rowsAtOnce) {
    const rows = await db
      .selectFrom('relay_subscriptions')
      .select(({ fn }) => [
        'topic',
        fn.min('client_id').as('first'),
        fn.max('client_id').as('last'),
        fn.countAll<number>().as('count'),
      ])
      .where(isOneOf(db, 'topic', topics.slice(start, start + rowsAtOnce)))
      .groupBy('topic')
      .execute()
    for (const { topic, first, last, count } of rows) if (count <= 2) few.set(topic, [first, last])
  }
  return few
}

/**
 * Reads the charges of waiting messages, oldest first.
 *
 * @returns the charges of up to `limit` messages, and the `seq` after which to continue; `undefined` at the end.
 */
export async function readCharges(
  db: Kysely<Database>,
  options: { afterSeq: number; limit: number; now: number },
): Promise<{ charges: string[]; lastSeq: number | undefined }> {
  const rows = await db
    .selectFrom('relay_messages')
    .select(['seq', 'charge'])
    .where('seq', '>', options.afterSeq)
    .where(waits)
    .where('expires_at', '>', options.now)
    .orderBy('seq')
    .limit(options.limit)
    .execute()
  const charges = rows.map(({ charge }) => charge).filter((charge) => charge !== '')
  return { charges, lastSeq: rows.length < options.limit ? undefined : rows.at(-1)?.seq }
}

/** Selects the entries whose client is subscribed to their topic. */
export async function findSubscribed<entry extends { client_id: string; topic: string }>(
  db: Kysely<Database>,
  entries: readonly entry[],
): Promise<Set<entry>> {
  const found = new Set<entry>()
  for (let start = 0; start < entries.length; start += rowsAtOnce) {
    const some = entries.slice(start, start + rowsAtOnce)
    const rows = await db
      .selectFrom('relay_subscriptions')
      .select(['client_id', 'topic'])
      .where(isOneOf(db, 'topic', [...new Set(some.map(({ topic }) => topic))]))
      .where(isOneOf(db, 'client_id', [...new Set(some.map(({ client_id }) => client_id))]))
      .execute()
    const subscriptions = new Set(rows.map(({ client_id, topic }) => client_id + topic))
    for (const entry of some) if (subscriptions.has(entry.client_id + entry.topic)) found.add(entry)
  }
  return found
}

/** Counts the acknowledgements of messages. @returns the number by `seq`; messages without any are omitted. */
export async function countAcks(db: Kysely<Database>, seqs: readonly number[]) {
  const counts = new Map<number, number>()
  for (let start = 0; start < seqs.length; start += rowsAtOnce) {
    const rows = await db
      .selectFrom('relay_acks')
      .select(({ fn }) => ['seq', fn.countAll<number>().as('count')])
      .where(isOneOf(db, 'seq', seqs.slice(start, start + rowsAtOnce)))
      .groupBy('seq')
      .execute()
    for (const { seq, count } of rows) counts.set(seq, count)
  }
  return counts
}

export async function insertAcks(db: Kysely<Database>, acks: readonly RelayAcksTable[]) {
  for (let start = 0; start < acks.length; start += rowsAtOnce)
    await db
      .insertInto('relay_acks')
      .values(
        acks.slice(start, start + rowsAtOnce).map(({ seq, client_id }) => ({ seq, client_id })),
      )
      .onConflict((conflict) => conflict.columns(['seq', 'client_id']).doNothing())
      .execute()
}

function dropping(db: Kysely<Database>, seqs: readonly number[], forgetAt: number) {
  return db
    .updateTable('relay_messages')
    .set({ message: '', bytes: 0, attestation: null, forget_at: forgetAt })
    .where(isOneOf(db, 'seq', seqs))
    .where(waits)
}

/** Deletes the bodies of messages. The rows stay until `forgetAt`. */
export async function dropBodies(
  db: Kysely<Database>,
  seqs: readonly number[],
  forgetAt: number,
): Promise<void> {
  for (let start = 0; start < seqs.length; start += rowsAtOnce)
    await dropping(db, seqs.slice(start, start + rowsAtOnce), forgetAt).execute()
}

/**
 * Deletes the bodies of messages that every subscriber except the publisher has acknowledged. The rows
 * stay until `forgetAt`.
 *
 * @returns the `seq` of these messages.
 */
export async function dropDelivered(
  db: Kysely<Database>,
  seqs: readonly number[],
  forgetAt: number,
): Promise<number[]> {
  const dropped: number[] = []
  for (let start = 0; start < seqs.length; start += rowsAtOnce) {
    const rows = await dropping(db, seqs.slice(start, start + rowsAtOnce), forgetAt)
      .where((eb) => {
        const lacking = eb
          .selectFrom('relay_subscriptions as s')
          .select('s.client_id')
          .whereRef('s.topic', '=', 'relay_messages.topic')
          .whereRef('s.client_id', '<>', 'relay_messages.publisher')
          .where((inner) => {
            const acks = inner
              .selectFrom('relay_acks as a')
              .select('a.seq')
              .whereRef('a.seq', '=', 'relay_messages.seq')
              .whereRef('a.client_id', '=', 's.client_id')
            return inner.not(inner.exists(acks))
          })
        return eb.not(eb.exists(lacking))
      })
      .returning('seq')
      .execute()
    for (const { seq } of rows) dropped.push(seq)
  }
  return dropped
}

/** Deletes up to `limit` rows whose `forget_at` has passed. @returns their number; call again while it is `limit`. */
export async function sweepMessages(db: Kysely<Database>, now: number, limit: number) {
  const rows = await db
    .selectFrom('relay_messages')
    .select('seq')
    .where('forget_at', '<', now)
    .limit(limit)
    .execute()
  const seqs = rows.map((row) => row.seq)
  if (seqs.length === 0) return 0
  await db
    .deleteFrom('relay_acks')
    .where(isOneOf(db, 'seq', seqs))
    .execute()
  await db
    .deleteFrom('relay_messages')
    .where(isOneOf(db, 'seq', seqs))
    .execute()
  return seqs.length
}

/** Maximum number of rows that {@link countMailboxes} reads. */
export const maxCountedMessages = 10_000

/** Totals of the waiting messages. Counts at most 10,000, so that the work is bounded. */
export async function countMailboxes(db: Kysely<Database>, now: number) {
  const row = await db
    .selectFrom(
      db
        .selectFrom('relay_messages')
        .select(['topic', 'bytes', 'expires_at'])
        .where(waits)
        .limit(maxCountedMessages)
        .as('first'),
    )
    .select(({ fn }) => [
      fn.countAll<number>().as('messages'),
      fn.count<number>('topic').distinct().as('topics'),
      fn.sum<number | null>('bytes').as('bytes'),
    ])
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return { topics: row.topics, messages: row.messages, bytes: row.bytes ?? 0 }
}
