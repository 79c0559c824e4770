import { limits } from '@gatefold/protocol'
import { relayInvitationTags } from '@gatefold/protocol/relay'
import type { Kysely } from 'kysely'
import {
  addAttestation,
  countAcks,
  deleteSubscriptions,
  dropBodies,
  dropDelivered,
  findFewSubscribers,
  findMessages,
  findSubscribed,
  insertAcks,
  insertMessages,
  insertSubscriptions,
  lockWriters,
  keyOf,
  weighTopics,
  toDigest,
  type FoundMessage,
  type NewRelayMessage,
} from '../../../storage/relay.ts'
import type { Database, RelayAcksTable } from '../../../storage/Database.ts'
import {
  strangerReceipts,
  type PublishOutcome,
  type Receipt,
  type StoredMessage,
} from '../RelayDriver.ts'
import type { CommitCache, Weight } from './createCommitCache.ts'

export type Write =
  | { kind: 'publish'; messages: readonly StoredMessage[] }
  | { kind: 'subscribe' | 'unsubscribe'; clientId: string; topics: readonly string[] }
  | { kind: 'acknowledge'; clientId: string; receipts: readonly Receipt[] }

/** A message and its row. */
type Entry = { message: StoredMessage; row: NewRelayMessage }

/** The database and the cache of its rows. */
type Store = { db: Kysely<Database>; cache: CommitCache }

/** The result of a commit. */
export type Committed = {
  /** For each write: the outcome of each message if it is a publish. */
  results: (PublishOutcome[] | undefined)[]
  /** The `seq` of the new messages. */
  stored: number[]
  /** Charges of the messages that every subscriber has acknowledged. */
  dropped: string[]
}

/**
 * Minimum time for which a message is recognized if it is published again, counted from its first publication and
 * from its delivery.
 */
export const knownMs = 10 * 60_000

/**
 * Commits writes in one transaction, grouped by kind. Where the order of writes matters, it is preserved: if a
 * client subscribes to and unsubscribes from a topic several times, the last write wins; of equal messages, the
 * first is stored.
 *
 * A repeated commit of the same writes reports the same messages as stored.
 */
export async function commitWrites(
  { db, cache }: Store,
  writes: readonly Write[],
  now: number,
): Promise<Committed> {
  try {
    const published = await db.transaction().execute(async (transaction) => {
      await lockWriters(transaction)
      const store = { db: transaction, cache }
      await commitSubscriptions(store, writes, now)
      const messages = await commitMessages(store, writes, now)
      return { ...messages, dropped: await commitReceipts(store, writes, now) }
    })
    for (const { row } of published.stored) cache.stored(row)
    for (const { seq } of published.dropped) cache.dropped(seq)
    return {
      results: writes.map((write) =>
        write.kind === 'publish'
          ? write.messages.map((message) => published.outcomes.get(message)!)
          : undefined,
      ),
      stored: published.stored.map(({ row }) => row.seq),
      dropped: published.dropped.map(({ charge }) => charge).filter((charge) => charge !== ''),
    }
  } catch (error) {
    // The transaction may or may not have taken effect.
    cache.clear()
    throw error
  }
}

async function commitSubscriptions(
  { db, cache }: Store,
  writes: readonly Write[],
  now: number,
): Promise<void> {
  const added = new Map<string, { client_id: string; topic: string; subscribed_at: number }>()
  const removed = new Map<string, Set<string>>()
  for (const write of writes) {
    if (write.kind !== 'subscribe' && write.kind !== 'unsubscribe') continue
    const { clientId, topics } = write
    for (const topic of topics) {
      cache.subscribers.delete(topic)
      if (write.kind === 'subscribe') {
        added.set(clientId + topic, { client_id: clientId, topic, subscribed_at: now })
        removed.get(clientId)?.delete(topic)
      } else {
        added.delete(clientId + topic)
        const removedTopics = removed.get(clientId)
        if (removedTopics) removedTopics.add(topic)
        else removed.set(clientId, new Set([topic]))
      }
    }
  }
  if (added.size > 0) await insertSubscriptions(db, [...added.values()])
  for (const [clientId, topics] of removed)
    if (topics.size > 0) await deleteSubscriptions(db, clientId, [...topics])
}

async function commitMessages(store: Store, writes: readonly Write[], now: number) {
  const outcomes = new Map<StoredMessage, PublishOutcome>()
  const first = new Map<string, Entry>()
  const attested: StoredMessage[] = []
  for (const write of writes) {
    if (write.kind !== 'publish') continue
    for (const message of write.messages) {
      outcomes.set(message, 'known')
      const key = keyOf(message)
      if (!first.has(key)) first.set(key, { message, row: toRow(message) })
      if (message.attestation !== undefined) attested.push(message)
    }
  }
  const entries = [...first]
  const known = await findMessages(
    store.db,
    entries.map(([, { row }]) => row),
  )
  const missing = entries.filter(([key]) => !known.has(key)).map(([, { row }]) => row)
  const full = new Set(await findFull(store, missing, now))
  const fresh = missing.filter((row) => !full.has(row))
  await insertMessages(store.db, fresh, store.cache.statements)
  const late = attested.flatMap((message) => {
    const { seq } = known.get(keyOf(message)) ?? first.get(keyOf(message))!.row
    return seq === message.seq ? [] : [{ ...message, seq }]
  })
  if (late.length > 0) await addAttestations(store, late, now)
  // The `seq` shows that this relay wrote the row, in this attempt or an earlier one.
  const stored = entries
    .filter(([key, { row }]) => !full.has(row) && (known.get(key)?.seq ?? row.seq) === row.seq)
    .map(([, entry]) => entry)
  for (const { message } of stored) outcomes.set(message, 'stored')
  for (const { message, row } of first.values()) if (full.has(row)) outcomes.set(message, 'full')
  return { outcomes, stored }
}

/** Adds attestations to stored messages; skips those that do not fit into the mailbox. */
async function addAttestations(
  { db, cache }: Store,
  messages: readonly StoredMessage[],
  now: number,
) {
  const topics = [...new Set(messages.map(({ topic }) => topic))]
  const weights = await weighTopics(db, topics, now)
  for (const { topic, seq, attestation = '' } of messages) {
    const weight = weights.get(topic)
    const bytes = Buffer.byteLength(attestation)
    if (!weight || weight.bytes + bytes > limits.relayTopicBytes) continue
    if (await addAttestation(db, { seq, attestation, bytes })) weight.bytes += bytes
  }
  // The next publish on these topics counts the waiting messages again.
  for (const topic of topics) cache.weights.delete(topic)
}

/** Returns the new messages that do not fit into their mailbox. @see docs/threats.md#relay-flood */
async function findFull(store: Store, messages: readonly NewRelayMessage[], now: number) {
  const full: NewRelayMessage[] = []
  const byTopic = Map.groupBy(messages, (message) => message.topic)
  const known = await weigh(store, byTopic, now)
  for (const [topic, fresh] of byTopic) {
    let { messages: count, bytes } = known.get(topic)!
    for (const message of fresh) {
      if (count + 1 > limits.relayTopicMessages || bytes + message.bytes > limits.relayTopicBytes) {
        full.push(message)
        continue
      }
      count += 1
      bytes += message.bytes
    }
  }
  return full
}

/**
 * Returns the number and bytes of messages waiting on topics, or cached upper bounds. Counts the messages only
 * if no cached bound leaves room for the new ones.
 */
async function weigh(
  { db, cache }: Store,
  fresh: ReadonlyMap<string, readonly NewRelayMessage[]>,
  now: number,
) {
  const weights = new Map<string, Weight>()
  const uncached: string[] = []
  for (const [topic, messages] of fresh) {
    const weight = cache.weights.get(topic)
    const more = messages.reduce((sum, { bytes }) => sum + bytes, 0)
    const hasRoom =
      weight &&
      weight.messages + messages.length <= limits.relayTopicMessages &&
      weight.bytes + more <= limits.relayTopicBytes
    if (hasRoom) weights.set(topic, weight)
    else uncached.push(topic)
  }
  if (uncached.length === 0) return weights
  const counted = await weighTopics(db, uncached, now)
  for (const topic of uncached) {
    const { messages = 0, bytes = 0 } = counted.get(topic) ?? {}
    weights.set(topic, { messages, bytes })
    cache.weights.set(topic, { messages, bytes })
  }
  return weights
}

/** @returns the messages whose bodies were deleted, because every subscriber has acknowledged them. */
async function commitReceipts(
  store: Store,
  writes: readonly Write[],
  now: number,
): Promise<FoundMessage[]> {
  const receipts = writes.flatMap((write) =>
    write.kind === 'acknowledge'
      ? write.receipts.map((receipt) => ({ ...receipt, clientId: write.clientId }))
      : [],
  )
  if (receipts.length === 0) return []
  const found = (await findReceived(store, receipts, now)).filter(
    // The relay does not deliver a message to its publisher, so that client's receipt does not count.
    ({ message, clientId }) => message.publisher !== clientId,
  )
  if (found.length === 0) return []
  const forgetAt = now + knownMs
  const invitations = found.filter(isInvitation)
  const deletable = found.filter((receipt) => !isInvitation(receipt))
  const { done, rest } = await splitDelivered(store, deletable)
  const received = [...rest, ...invitations]
  const messages = new Map(found.map(({ message }) => [message.seq, message]))
  const dropped = done.filter((seq) => messages.get(seq)!.isWaiting)
  await dropBodies(store.db, dropped, forgetAt)
  if (received.length > 0) {
    await insertAcks(store.db, await selectAcks(store, received))
    const seqs = rest.map(({ message }) => message.seq)
    dropped.push(...(await dropDelivered(store.db, seqs, forgetAt)))
  }
  return dropped.map((seq) => messages.get(seq)!)
}

/** Whether a message is kept until it expires, for clients that subscribe later. */
function isInvitation({ message }: FoundReceipt): boolean {
  return relayInvitationTags.includes(message.tag)
}

/** A stored message that a client has acknowledged. */
type FoundReceipt = { message: FoundMessage; clientId: string }

/** Looks up the stored messages that receipts refer to; omits unknown messages. */
async function findReceived(
  { db, cache }: Store,
  receipts: readonly (Receipt & { clientId: string })[],
  now: number,
): Promise<FoundReceipt[]> {
  const found: FoundReceipt[] = []
  const uncached: (typeof receipts)[number][] = []
  for (const receipt of receipts) {
    const message = receipt.seq === undefined ? undefined : cache.message(receipt.seq, now)
    if (message) found.push({ message, clientId: receipt.clientId })
    else uncached.push(receipt)
  }
  const rows = await findMessages(
    db,
    uncached.map((name) => ({ ...name, digest: toDigest(name) })),
  )
  for (const receipt of uncached) {
    const message = rows.get(keyOf(receipt))
    if (message) found.push({ message, clientId: receipt.clientId })
  }
  return found
}

/**
 * Separates messages that all subscribers acknowledge in this commit from those that need acknowledgement rows.
 * Most topics have one subscriber besides the publisher, so most messages need none.
 */
async function splitDelivered(store: Store, found: readonly FoundReceipt[]) {
  const subscribers = await findSubscribers(
    store,
    found.map(({ message }) => message.topic),
  )
  const done: number[] = []
  const rest: FoundReceipt[] = []
  for (const [seq, receipts] of Map.groupBy(found, ({ message }) => message.seq)) {
    const { topic, publisher } = receipts[0]!.message
    const isMissing = (clientId: string) =>
      clientId !== publisher && receipts.every((receipt) => receipt.clientId !== clientId)
    const few = subscribers.get(topic)!
    if (few.length > 0 && !few.some(isMissing)) done.push(seq)
    else rest.push(...receipts)
  }
  return { done, rest }
}

/**
 * Returns the acknowledgement rows to store: those of subscribers, and those of other clients as long as a message has
 * fewer than `strangerReceipts`.
 */
async function selectAcks(
  { db }: Store,
  receipts: readonly FoundReceipt[],
): Promise<RelayAcksTable[]> {
  const acks = receipts.map(({ message, clientId }) => ({
    seq: message.seq,
    client_id: clientId,
    topic: message.topic,
  }))
  const subscribed = await findSubscribed(db, acks)
  const strangers = acks.filter((ack) => !subscribed.has(ack))
  const counts = await countAcks(
    db,
    strangers.map(({ seq }) => seq),
  )
  return acks.filter((ack) => {
    if (subscribed.has(ack)) return true
    const count = counts.get(ack.seq) ?? 0
    counts.set(ack.seq, count + 1)
    return count < strangerReceipts
  })
}

/** The subscribers of each topic that has one or two subscribers; an empty list for any other topic. */
async function findSubscribers({ db, cache }: Store, topics: readonly string[]) {
  const found = new Map<string, readonly string[]>()
  const uncached = new Set<string>()
  for (const topic of topics) {
    const known = cache.subscribers.get(topic)
    if (known) found.set(topic, known)
    else uncached.add(topic)
  }
  if (uncached.size === 0) return found
  const few = await findFewSubscribers(db, [...uncached])
  for (const topic of uncached) {
    const clientIds = few.get(topic) ?? []
    found.set(topic, clientIds)
    cache.subscribers.set(topic, clientIds)
  }
  return found
}

function toRow(message: StoredMessage): NewRelayMessage {
  const { publishedAt, expiresAt, attestation = null, ...rest } = message
  return {
    topic: rest.topic,
    id: rest.id,
    digest: toDigest(message),
    seq: rest.seq,
    message: rest.message,
    // At least 1, because 0 marks a deleted body.
    bytes: Math.max(1, Buffer.byteLength(rest.message)) + Buffer.byteLength(attestation ?? ''),
    attestation,
    tag: rest.tag,
    publisher: rest.publisher,
    published_at: publishedAt,
    expires_at: expiresAt,
    forget_at: Math.max(expiresAt, publishedAt + knownMs),
    charge: rest.charge ?? '',
  }
}
