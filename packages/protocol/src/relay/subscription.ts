/**
 * The text whose SHA-256, in hex, is the id of a client's subscription to a topic. Official clients
 * compute the id themselves and ignore the relay's answer, so both sides must use this.
 *
 * @param subscription.clientId - the client's `did:key`.
 * @see docs/contracts/relay.md#json-rpc
 */
export function formatSubscription(subscription: { topic: string; clientId: string }): string {
  return subscription.topic + subscription.clientId
}
