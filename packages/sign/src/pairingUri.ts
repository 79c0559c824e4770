/** What a wallet scans. @see contracts/relay.md 4.4 */
export type PairingUri = {
  /** 64 hex. */
  topic: string
  /** 64 hex. */
  symKey: string
  relay: { protocol: string }
  /** Unix time in seconds; undefined from clients that do not say. */
  expiryTimestamp?: number | undefined
  /** What the app will ask first, such as `wc_sessionAuthenticate`. */
  methods?: readonly string[] | undefined
}

/** A pairing lives this long. @see spec §4.7, §9.1.1 */
export const pairingLifetimeSeconds = 240
/** So close to its end it counts as expired. @see spec §4.7, §9.1.1 */
export const pairingMarginSeconds = 10

/** Whether a wallet could no longer answer in time. @param now - Unix time in ms */
export function isPairingExpired(expirySeconds: number, now: number): boolean {
  return now / 1_000 >= expirySeconds - pairingMarginSeconds
}

/** @example formatPairingUri({ topic, symKey, relay: { protocol: 'irn' }, expiryTimestamp }) */
export function formatPairingUri(pairing: PairingUri): string {
  const { topic, symKey, relay, expiryTimestamp, methods } = pairing
  const query = new URLSearchParams()
  if (expiryTimestamp !== undefined) query.set('expiryTimestamp', String(expiryTimestamp))
  if (methods?.length) query.set('methods', methods.join(','))
  query.set('relay-protocol', relay.protocol)
  query.set('symKey', symKey)
  return `wc:${topic}@2?${query}`
}
