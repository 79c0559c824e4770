import { createHash } from 'node:crypto'
import { toSubscriptionId } from '@gatefold/protocol/relay'
import { fromStore, RelayError } from '../errors.ts'
import type { RelayContext } from '../RelayContext.ts'

/** Subscriptions of one client; an official one has a topic for each pairing and each session. */
const maxTopics = 5_000

/**
 * Subscribes a client for good. What waits on the topics is pushed after the answer.
 *
 * @returns the ids of the subscriptions, in order.
 * @throws {RelayError} `SubscriberLimitExceeded`.
 * @throws {RelayStorageError}
 */
export async function subscribeTopics(
  { driver, hub, pendingSubscriptions }: RelayContext,
  call: { clientId: string; afterAnswer(job: () => void): void },
  topics: readonly string[],
): Promise<string[]> {
  const { clientId } = call
  const known = hub.topicsOf(clientId) ?? new Set(await fromStore(driver.topicsOf(clientId)))
  // A client that is back asks again for what it has, several times at once; neither counts twice.
  const underWay = pendingSubscriptions.get(clientId) ?? new Set<string>()
  const fresh = topics.filter((topic) => !known.has(topic))
  if (known.size + new Set([...underWay, ...fresh]).size > maxTopics)
    throw new RelayError(
      'requestHandler',
      'SubscriberLimitExceeded',
      `a client has at most ${maxTopics} subscriptions`,
    )
  for (const topic of fresh) underWay.add(topic)
  pendingSubscriptions.set(clientId, underWay)
  try {
    await driver.subscribe(clientId, topics)
  } finally {
    for (const topic of fresh) underWay.delete(topic)
    if (underWay.size === 0 && pendingSubscriptions.get(clientId) === underWay)
      pendingSubscriptions.delete(clientId)
  }
  call.afterAnswer(hub.subscribed(clientId, topics))
  return topics.map((topic) => toSubscriptionId({ topic, clientId, sha256 }))
}

function sha256(bytes: Uint8Array) {
  return createHash('sha256').update(bytes).digest()
}
