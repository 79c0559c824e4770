/**
 * Prefix of the `ua` query parameter of Gatefold's own clients; official ones send `wc-2/js-…`. A relay
 * delivers to Gatefold's clients without the delay that official ones need.
 *
 * @see docs/relay.md#what-is-promised
 */
const ownPrefix = 'wc-2/gatefold-'

/**
 * The `ua` query parameter of this client.
 *
 * @param options.version - of the client library.
 * @param options.environment - `node`, or `browser:<host>`.
 */
export function toRelayUserAgent(options: { version: string; environment: string }): string {
  return `${ownPrefix}${options.version}/${options.environment}`
}

/** Whether a `ua` query parameter names one of Gatefold's own clients. */
export function isOwnUserAgent(userAgent: string | undefined): boolean {
  return userAgent?.startsWith(ownPrefix) ?? false
}
