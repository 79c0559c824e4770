/**
 * Prefix of the `ua` query parameter of Gatefold's clients; official clients send `wc-2/js-…`. A relay
 * delivers to Gatefold's clients without the delay that official clients need.
 *
 * @see docs/relay.md#guarantees
 */
const ownPrefix = 'wc-2/gatefold-'

/**
 * Formats the `ua` query parameter of a Gatefold client.
 *
 * @param options.version - version of the client library.
 * @param options.environment - `node`, or `browser:<host>`.
 */
export function toRelayUserAgent(options: { version: string; environment: string }): string {
  return `${ownPrefix}${options.version}/${options.environment}`
}

/** Whether a `ua` query parameter comes from one of Gatefold's clients. */
export function isOwnUserAgent(userAgent: string | undefined): boolean {
  return userAgent?.startsWith(ownPrefix) ?? false
}
