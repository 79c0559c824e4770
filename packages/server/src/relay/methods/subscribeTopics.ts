import type { Payer } from '../budgets/createStorageBudgets.ts'
import { fromStore, RelayError } from '../errors.ts'
import { maxSubscribers } from '../hub/createTopicIndex.ts'
import type { RelayContext } from '../RelayContext.ts'
import { toSubscriptionId } from '../toSubscriptionId.ts'

/** Maximum subscriptions of a client. Official clients have one for each pairing and each session. */
const maxTopics = 5_000

/**
 * Stores a client's subscriptions. Waiting messages are delivered after the response.
 *
 * @returns the ids of the subscriptions, in order.
 * @throws {RelayError} `SubscriberLimitExceeded` if the client has too many subscriptions, its address too many new
 * ones, or a topic too many subscribers. `TooManyRequests` if too many subscriptions were read for the address.
 * @throws {RelayStorageError}
 */
export async function subscribeTopics(
  relay: RelayContext,
  call: { clientId: string; payer: Pick<Payer, 'address'>; afterAnswer(job: () => void): void },
  topics: readonly string[],
): Promise<string[]> {
  const { driver, hub } = relay
  const { clientId } = call
  const { address } = call.payer
  const pending = relay.pendingSubscriptions.get(clientId) ?? { topics: new Set(), calls: 0 }
  relay.pendingSubscriptions.set(clientId, pending)
  pending.calls += 1
  try {
    const connected = hub.topicsOf(clientId)
    // Parallel requests share one read, because a client may have thousands of topics.
    const known = connected ?? (await (pending.stored ??= readTopics(relay, clientId, address)))
    // After a reconnect, clients resubscribe, often with parallel requests. Each topic counts once.
    const added = new Set(topics.filter((topic) => !known.has(topic) && !pending.topics.has(topic)))
    if (known.size + pending.topics.size + added.size > maxTopics)
      throw limitExceeded(`a client has at most ${maxTopics} subscriptions`)
    if ([...added].some(hub.isFull))
      throw limitExceeded(`a topic has at most ${maxSubscribers} connected subscribers`)
    if (!relay.addressLimits.admitTopics(address, added.size))
      throw limitExceeded('too many new subscriptions from this address')
    for (const topic of added) pending.topics.add(topic)
    try {
      await driver.subscribe(clientId, topics, address)
    } finally {
      // What was read from the store does not contain these topics.
      if (connected) for (const topic of added) pending.topics.delete(topic)
    }
  } finally {
    pending.calls -= 1
    if (pending.calls === 0) relay.pendingSubscriptions.delete(clientId)
  }
  call.afterAnswer(hub.subscribed(clientId, topics))
  return topics.map((topic) => toSubscriptionId({ topic, clientId }))
}

/**
 * Reads the stored subscriptions of a client that uses HTTP. Counts as if the client connected, because the read costs as
 * much.
 *
 * @throws {RelayError} `TooManyRequests` if too many subscriptions were read for the address.
 * @throws {RelayStorageError}
 */
async function readTopics(
  { addressLimits, context, driver }: RelayContext,
  clientId: string,
  address: string,
): Promise<ReadonlySet<string>> {
  if (!addressLimits.mayConnect(address)) throw tooManyReads()
  const nextTurn = () => context.turns.next(address, 0)
  const topics = await fromStore(driver.topicsOf(clientId, nextTurn))
  if (!addressLimits.admitConnect(address, topics.length)) throw tooManyReads()
  return new Set(topics)
}

function tooManyReads() {
  const what = 'too many subscriptions were read for this address; try again in a minute'
  return new RelayError('tooManyRequests', 'TooManyRequests', what)
}

function limitExceeded(what: string) {
  return new RelayError('requestHandler', 'SubscriberLimitExceeded', what)
}
