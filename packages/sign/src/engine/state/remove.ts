import { PeerError, toErrorData } from '../../errors.ts'
import { reasons } from '../../reasons.ts'
import type { Context } from '../Context.ts'
import { loadDeferred } from '../chunks.ts'
import { isSentProposal } from './stores.ts'

/** Deletes a session with its keys and requests, and rejects the pending requests. */
export async function deleteSession(context: Context, topic: string): Promise<void> {
  const { stores, keys, relay, queue, recentlyDeleted, resolve } = context
  const session = stores.sessions.get(topic)
  if (!session) return
  recentlyDeleted.add(topic, 'session')
  const requests = stores.requests.values().filter((request) => request.topic === topic)
  // `wc_sessionDelete` may still have to be sent.
  const records = stores.records
    .values()
    .filter((record) => record.topic === topic && record.request.method !== 'wc_sessionDelete')
  const stored = [
    stores.sessions.delete(topic),
    stores.requests.delete(...requests.map(({ id }) => id)),
    stores.records.delete(...records.map(({ id }) => id)),
    keys.remove(topic),
    keys.remove(session.self.publicKey),
  ]
  for (const { id } of requests) {
    recentlyDeleted.add(id, 'request')
    queue.done(id)
  }
  const error = toErrorData(new PeerError(reasons.USER_DISCONNECTED))
  for (const { id, sent, response } of records) if (sent && !response) resolve(id, { error })
  unsubscribe(relay, topic)
  await Promise.all(stored)
}

/** Deletes a proposal. If this client sent it, also deletes its record, and its key unless the key is still used. */
export async function deleteProposal(context: Context, id: number): Promise<void> {
  const { stores, keys, recentlyDeleted } = context
  const proposal = stores.proposals.get(id)
  if (!proposal) return
  recentlyDeleted.add(id, 'proposal')
  const { publicKey } = proposal.proposer
  const isUsed =
    stores.sessions.values().some(({ self }) => self.publicKey === publicKey) ||
    stores.records.has(proposal.authenticateId ?? 0)
  const stored = [stores.proposals.delete(id)]
  const own = isSentProposal(proposal, keys)
  if (own) stored.push(stores.records.delete(id))
  if (own && !isUsed) stored.push(keys.remove(publicKey))
  const { sessionTopic } = proposal
  if (own && sessionTopic && !stores.sessions.has(sessionTopic)) {
    unsubscribe(context.relay, sessionTopic)
    stored.push(keys.remove(sessionTopic))
  }
  await Promise.all(stored)
}

export async function deletePairing(context: Context, topic: string): Promise<void> {
  const { stores, keys, relay, recentlyDeleted } = context
  if (!stores.pairings.has(topic)) return
  recentlyDeleted.add(topic, 'pairing')
  unsubscribe(relay, topic)
  const received = stores.records.values().filter((it) => it.topic === topic && !it.sent)
  await Promise.all([
    stores.pairings.delete(topic),
    stores.records.delete(...received.map(({ id }) => id)),
    keys.remove(topic),
  ])
}

/** Deletes a received request. */
export async function deleteRequest(context: Context, id: number): Promise<void> {
  context.recentlyDeleted.add(id, 'request')
  const stored = context.stores.requests.delete(id)
  context.queue.done(id)
  await stored
}

/** How many received, and how many answered, requests an eviction keeps of each topic: those with the greatest ids. */
export const recordLimit = 100

/**
 * Evicts surplus records, in batches, if there are many. Best effort: the chunk may not load.
 *
 * @param topic - evicts only records of this topic; at the start, of all topics.
 */
export async function evictRecords(context: Context, topic?: string): Promise<void> {
  if (context.stores.records.values().length <= recordLimit * (topic ? 2 : 1)) return
  const deferred = await loadDeferred().catch(() => undefined)
  await deferred?.evictSurplusRecords(context, topic)
}

/**
 * Whether the record of a request with this id may have been evicted. Then the request counts as received: peers
 * number their requests by time, and the relay could repeat one.
 */
export function mayBeEvicted({ stores }: Context, topic: string, id: number): boolean {
  const received = stores.records
    .values()
    .filter((record) => record.topic === topic && !record.sent)
  return received.length >= recordLimit && received.every((record) => id < record.id)
}

/** Best effort: if messages are still delivered, they cannot be decrypted. */
function unsubscribe(relay: Context['relay'], topic: string) {
  relay.unsubscribe(topic).catch(() => undefined)
}
