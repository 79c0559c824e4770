/**
 * The string whose hex SHA-256 is the id of a client's subscription to a topic. Official clients compute
 * this id and ignore the one in the relay's response, so both must be equal.
 *
 * @param subscription.clientId - the client's `did:key`.
 * @see docs/contracts/relay.md#json-rpc
 */
export function formatSubscription(subscription: { topic: string; clientId: string }): string {
  return subscription.topic + subscription.clientId
}
