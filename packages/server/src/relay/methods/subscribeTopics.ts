import type { Payer } from '../budgets/createStorageBudgets.ts'
import { fromStore, RelayError } from '../errors.ts'
import type { RelayContext } from '../RelayContext.ts'
import { toSubscriptionId } from '../toSubscriptionId.ts'

/** Maximum subscriptions of a client. Official clients have one for each pairing and each session. */
const maxTopics = 5_000

/**
 * Stores a client's subscriptions. Waiting messages are delivered after the response.
 *
 * @returns the ids of the subscriptions, in order.
 * @throws {RelayError} `SubscriberLimitExceeded`.
 * @throws {RelayStorageError}
 */
export async function subscribeTopics(
  { driver, hub, pendingSubscriptions }: RelayContext,
  call: { clientId: string; payer: Pick<Payer, 'address'>; afterAnswer(job: () => void): void },
  topics: readonly string[],
): Promise<string[]> {
  const { clientId } = call
  const known = hub.topicsOf(clientId) ?? new Set(await fromStore(driver.topicsOf(clientId)))
  // After a reconnect, clients resubscribe, often with parallel requests. Each topic counts once.
  const pending = pendingSubscriptions.get(clientId) ?? new Set<string>()
  const added = topics.filter((topic) => !known.has(topic))
  if (known.size + new Set([...pending, ...added]).size > maxTopics)
    throw new RelayError(
      'requestHandler',
      'SubscriberLimitExceeded',
      `a client has at most ${maxTopics} subscriptions`,
    )
  for (const topic of added) pending.add(topic)
  pendingSubscriptions.set(clientId, pending)
  try {
    await driver.subscribe(clientId, topics, call.payer.address)
  } finally {
    for (const topic of added) pending.delete(topic)
    if (pending.size === 0 && pendingSubscriptions.get(clientId) === pending)
      pendingSubscriptions.delete(clientId)
  }
  call.afterAnswer(hub.subscribed(clientId, topics))
  return topics.map((topic) => toSubscriptionId({ topic, clientId }))
}
