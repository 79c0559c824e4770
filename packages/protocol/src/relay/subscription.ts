/**
 * The id of a client's subscription to a topic: SHA-256 of both texts, in hex. Official clients
 * compute it themselves and ignore what the relay answers, so both must use this.
 *
 * @param options.clientId - the client's `did:key`.
 * @param options.sha256 - whoever calls brings its own. @returns 32 bytes.
 * @see contract of the relay, 2
 */
export function toSubscriptionId(options: {
  topic: string
  clientId: string
  sha256: (bytes: Uint8Array) => Uint8Array
}): string {
  const { topic, clientId, sha256 } = options
  return toHex(sha256(new TextEncoder().encode(topic + clientId)))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
