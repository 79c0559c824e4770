/**
 * The topic of a pairing URI, 64 hex digits.
 *
 * @returns `undefined` for other texts.
 * @see docs/contracts/relay.md
 */
export function pairingTopic(uri: string): string | undefined {
  return /^wc:(?:\/\/)?([0-9a-f]{64})@2(?:[/?]|$)/i.exec(uri)?.[1]?.toLowerCase()
}
