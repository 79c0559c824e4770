/**
 * The id of a client's subscription to a topic: SHA-256 of `formatSubscription`, in hex. Official clients
 * compute it themselves and ignore the relay's answer, so both must use this.
 *
 * @param options.clientId - the client's `did:key`.
 * @param options.sha256 - returns 32 bytes; injected, because pages and servers differ.
 * @see docs/contracts/relay.md#json-rpc
 */
export function toSubscriptionId(options: {
  topic: string
  clientId: string
  sha256: (bytes: Uint8Array) => Uint8Array
}): string {
  return toHex(options.sha256(new TextEncoder().encode(formatSubscription(options))))
}

/** The hashed text of that id, for asynchronous hash functions. */
export function formatSubscription(subscription: { topic: string; clientId: string }): string {
  return subscription.topic + subscription.clientId
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
