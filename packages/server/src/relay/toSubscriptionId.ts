import { hash } from 'node:crypto'
import { formatSubscription } from '@gatefold/protocol/relay'

/** The id of a client's subscription to a topic, as clients compute it themselves: 64 hex. */
export function toSubscriptionId(subscription: { topic: string; clientId: string }): string {
  return hash('sha256', formatSubscription(subscription))
}
