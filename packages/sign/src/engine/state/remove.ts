import { PeerError, toErrorData } from '../../errors.ts'
import { reasons } from '../../reasons.ts'
import { type Context, nowSeconds } from '../Context.ts'
import { isOwn } from './stores.ts'

/**
 * Ends a session here: its keys, what it still had to answer, and whoever waited for its peer.
 */
export async function deleteSession(context: Context, topic: string): Promise<void> {
  const { stores, keys, relay, queue, recentlyDeleted, settle } = context
  const session = stores.sessions.get(topic)
  if (!session) return
  recentlyDeleted.add(topic, 'session')
  const requests = stores.requests.values().filter((request) => request.topic === topic)
  // That it is over may still have to be told.
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
  for (const { id, sent, response } of records) if (sent && !response) settle(id, { error })
  unsubscribe(relay, topic)
  await Promise.all(stored)
}

/** Forgets a proposal, with its key when it is an own one that led to no session. */
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
  const own = isOwn(proposal, keys)
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
  await Promise.all([stores.pairings.delete(topic), keys.remove(topic)])
}

/** Forgets a request that was received, whether it was answered or not. */
export async function deleteRequest(context: Context, id: number): Promise<void> {
  context.recentlyDeleted.add(id, 'request')
  const stored = context.stores.requests.delete(id)
  context.queue.done(id)
  await stored
}

/** Records beyond this many are forgotten, oldest first, unless their answer is still waited for. */
const recordLimit = 500

export async function evictOldRecords({ stores, clock }: Context): Promise<void> {
  const now = nowSeconds({ clock })
  const records = stores.records.values()
  const done = records.filter(({ sent, response }) => !sent || response)
  const old = done.filter(({ expiry }, index) => expiry <= now || index < done.length - recordLimit)
  await stores.records.delete(...old.map(({ id }) => id))
}

/** Many together: who runs for weeks does not start anew. */
export async function evictSurplusRecords(context: Context): Promise<void> {
  if (context.stores.records.values().length > 2 * recordLimit) await evictOldRecords(context)
}

/** The relay is told when it can be; what comes until then finds no key. */
function unsubscribe(relay: Context['relay'], topic: string) {
  relay.unsubscribe(topic).catch(() => undefined)
}
