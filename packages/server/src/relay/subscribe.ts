import { createHash } from 'node:crypto'
import { toSubscriptionId } from '@gatefold/protocol/relay'
import { RelayError } from './errors.ts'
import type { RelayParts } from './parts.ts'

/** Subscriptions of one client; an official one has a topic for each pairing and each session. */
const maxTopics = 5_000

/**
 * Subscribes a client for good. What waits on the topics is pushed after the answer.
 *
 * @returns the ids of the subscriptions, in order.
 * @throws {RelayError} `SubscriberLimitExceeded`.
 * @throws {RelayStorageError}
 */
export async function subscribe(
  { driver, hub }: RelayParts,
  call: { clientId: string; afterAnswer(job: () => void): void },
  topics: readonly string[],
): Promise<string[]> {
  const { clientId } = call
  const count = hub.topicCount(clientId) ?? (await driver.topicsOf(clientId)).length
  if (count + topics.length > maxTopics)
    throw new RelayError(
      'requestHandler',
      'SubscriberLimitExceeded',
      `a client has at most ${maxTopics} subscriptions`,
    )
  await driver.subscribe(clientId, topics)
  call.afterAnswer(hub.subscribed(clientId, topics))
  return topics.map((topic) => toSubscriptionId({ topic, clientId, sha256 }))
}

function sha256(bytes: Uint8Array) {
  return createHash('sha256').update(bytes).digest()
}
