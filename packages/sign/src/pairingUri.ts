/** The content of a QR code. @see docs/contracts/relay.md#pairing-uri */
export type PairingUri = {
  /** 64 hex digits. */
  topic: string
  /** 64 hex digits. */
  symKey: string
  relay: { protocol: string }
  /** Unix time in seconds; older clients omit it. */
  expiryTimestamp?: number | undefined
  /** Methods that the app will request first, such as `wc_sessionAuthenticate`. */
  methods?: readonly string[] | undefined
}

/** How long an app shows a pairing URI. Its `expiryTimestamp` is one minute later. @see spec §4.7, §9.1.1 */
export const pairingLifetimeSeconds = 240
/** A pairing counts as expired this long before its expiry. @see spec §4.7, §9.1.1 */
export const pairingMarginSeconds = 10

/** Whether a pairing has expired, or leaves a wallet too little time to respond. @param now - Unix time in ms */
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
