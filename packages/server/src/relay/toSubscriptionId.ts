import { hash } from 'node:crypto'
import { formatSubscription } from '@gatefold/protocol/relay'

/** The id of a client's subscription to a topic, 64 hex digits. Clients compute the same id. */
export function toSubscriptionId(subscription: { topic: string; clientId: string }): string {
  return hash('sha256', formatSubscription(subscription))
}
