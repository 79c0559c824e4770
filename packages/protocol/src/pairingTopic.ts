/**
 * Extracts the topic from a pairing URI.
 *
 * @returns 64 lower-case hex digits, or `undefined` for any other string.
 * @see docs/contracts/relay.md
 */
export function pairingTopic(uri: string): string | undefined {
  return /^wc:(?:\/\/)?([0-9a-f]{64})@2(?:[/?]|$)/i.exec(uri)?.[1]?.toLowerCase()
}
