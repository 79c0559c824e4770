import { limits } from '@gatefold/protocol'
import type { Kysely } from 'kysely'
import {
  deleteSubscriptions,
  dropBodies,
  dropDelivered,
  findFewSubscribers,
  findForReceipts,
  findKnown,
  insertAcks,
  insertMessages,
  insertSubscriptions,
  weighTopics,
  type FoundReceipt,
  type RelayMessagesTable,
} from '../../storage/relay.ts'
import type { Database } from '../../storage/openStorage.ts'
import type { PublishOutcome, Receipt, StoredMessage } from '../driver.ts'

export type Write =
  | { kind: 'publish'; messages: readonly StoredMessage[]; bytes: number }
  | { kind: 'subscribe' | 'unsubscribe'; clientId: string; topics: readonly string[] }
  | { kind: 'acknowledge'; clientId: string; receipts: readonly Receipt[] }

/** A message that is over or delivered stays known this long, for clients that publish it again. */
const knownMs = 10 * 60_000

/**
 * Commits writes in one transaction. Those of other clients, and those of one client that touch
 * different things, commute; what does not keeps its order: a later subscribe or unsubscribe of the
 * same client and topic wins, and of two equal messages the first is stored.
 *
 * @returns a result for each write (`PublishOutcome[]` for a publish), and the messages that are new,
 * in their order. A repeated commit of the same writes tells the same messages as new.
 */
export async function commitWrites(
  db: Kysely<Database>,
  writes: readonly Write[],
  now: number,
): Promise<{ results: unknown[]; stored: StoredMessage[] }> {
  return db.transaction().execute(async (transaction) => {
    await commitSubscriptions(transaction, writes, now)
    const published = await commitMessages(transaction, writes, now)
    await commitReceipts(transaction, writes, now)
    return {
      results: writes.map((write) =>
        write.kind === 'publish'
          ? write.messages.map((message) => published.outcomes.get(message))
          : undefined,
      ),
      stored: published.stored,
    }
  })
}

async function commitSubscriptions(
  db: Kysely<Database>,
  writes: readonly Write[],
  now: number,
): Promise<void> {
  const added = new Map<string, { client_id: string; topic: string; subscribed_at: number }>()
  const removed = new Map<string, Set<string>>()
  for (const write of writes) {
    if (write.kind !== 'subscribe' && write.kind !== 'unsubscribe') continue
    const { clientId, topics } = write
    for (const topic of topics) {
      if (write.kind === 'subscribe') {
        added.set(clientId + topic, { client_id: clientId, topic, subscribed_at: now })
        removed.get(clientId)?.delete(topic)
      } else {
        added.delete(clientId + topic)
        const gone = removed.get(clientId)
        if (gone) gone.add(topic)
        else removed.set(clientId, new Set([topic]))
      }
    }
  }
  if (added.size > 0) await insertSubscriptions(db, [...added.values()])
  for (const [clientId, topics] of removed)
    if (topics.size > 0) await deleteSubscriptions(db, clientId, [...topics])
}

async function commitMessages(db: Kysely<Database>, writes: readonly Write[], now: number) {
  const outcomes = new Map<StoredMessage, PublishOutcome>()
  const first = new Map<string, StoredMessage>()
  for (const write of writes) {
    if (write.kind !== 'publish') continue
    for (const message of write.messages) {
      outcomes.set(message, 'known')
      const key = message.topic + message.id
      if (!first.has(key)) first.set(key, message)
    }
  }
  const full = await findFull(db, [...first.values()], now)
  for (const message of full) first.delete(message.topic + message.id)
  const messages = [...first.values()]
  const seqs = messages.length > 0 ? await insertMessages(db, messages.map(toRow)) : []
  // A row with our own number is ours, even when an earlier attempt put it there.
  const stored = messages.filter((message, index) => message.seq === seqs[index])
  for (const message of stored) outcomes.set(message, 'stored')
  for (const message of full) outcomes.set(message, 'full')
  return { outcomes, stored }
}

/** Messages for which their topic has no room. @see threat model, “relay: flood” */
async function findFull(db: Kysely<Database>, messages: readonly StoredMessage[], now: number) {
  const full: StoredMessage[] = []
  if (messages.length === 0) return full
  const byTopic = Map.groupBy(messages, (message) => message.topic)
  const weights = await weighTopics(db, [...byTopic.keys()], now)
  for (const [topic, fresh] of byTopic) {
    let { messages: count, bytes } = weights.get(topic) ?? { messages: 0, bytes: 0 }
    const over: StoredMessage[] = []
    for (const message of fresh) {
      const size = sizeOf(message)
      if (count + 1 > limits.relayTopicMessages || bytes + size > limits.relayTopicBytes) {
        over.push(message)
        continue
      }
      count += 1
      bytes += size
    }
    if (over.length === 0) continue
    // One that is there already needs no room.
    const known = await findKnown(
      db,
      topic,
      over.map(({ id }) => id),
    )
    full.push(...over.filter(({ id }) => !known.has(id)))
  }
  return full
}

async function commitReceipts(db: Kysely<Database>, writes: readonly Write[], now: number) {
  const receipts = writes.flatMap((write) =>
    write.kind === 'acknowledge'
      ? write.receipts.map((receipt) => ({ ...receipt, clientId: write.clientId }))
      : [],
  )
  if (receipts.length === 0) return
  const found = await findForReceipts(db, receipts)
  if (found.length === 0) return
  const forgetAt = now + knownMs
  const { done, rest } = await splitDelivered(db, found)
  if (done.length > 0) await dropBodies(db, done, forgetAt)
  if (rest.length === 0) return
  await insertAcks(db, rest)
  await dropDelivered(
    db,
    rest.map(({ seq }) => seq),
    forgetAt,
  )
}

/**
 * Most topics have one subscriber besides the publisher: when that has the message nobody else waits,
 * and there is nothing to remember.
 */
async function splitDelivered(db: Kysely<Database>, found: readonly FoundReceipt[]) {
  const subscribers = await findFewSubscribers(db, [...new Set(found.map(({ topic }) => topic))])
  const done: number[] = []
  const rest: FoundReceipt[] = []
  for (const [seq, receipts] of Map.groupBy(found, (receipt) => receipt.seq)) {
    const { topic, publisher } = receipts[0]!
    const have = new Set([publisher, ...receipts.map((receipt) => receipt.client_id)])
    if (subscribers.get(topic)?.every((clientId) => have.has(clientId))) done.push(seq)
    else rest.push(...receipts)
  }
  return { done, rest }
}

function toRow(message: StoredMessage): RelayMessagesTable {
  const { publishedAt, expiresAt, attestation = null, ...rest } = message
  return {
    topic: rest.topic,
    id: rest.id,
    seq: rest.seq,
    message: rest.message,
    bytes: sizeOf(message),
    attestation,
    tag: rest.tag,
    publisher: rest.publisher,
    published_at: publishedAt,
    expires_at: expiresAt,
    forget_at: Math.max(expiresAt, publishedAt + knownMs),
  }
}

/** At least 1, since 0 marks a body that was let go. */
function sizeOf(message: StoredMessage) {
  return Math.max(1, Buffer.byteLength(message.message))
}
