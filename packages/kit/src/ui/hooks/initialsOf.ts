/** Words that occur in too many wallet names to identify a wallet. */
const common = /^(wallet|app|the|by)$/i

/**
 * The initials of a name: the first letters of its first two distinctive words or, if it has none, of its
 * first two words.
 *
 * @returns one or two letters or digits; empty if the name has neither
 * @example initialsOf('Trust Wallet') // 'T'
 * @example initialsOf('Binance Web3 Wallet') // 'BW'
 */
export function initialsOf(name: string): string {
  // Text in parentheses is not part of the name.
  const words = name.replace(/\(.*\)/, '').match(/[\p{L}\p{N}]+/gu) ?? []
  const distinctive = words.filter((word) => !common.test(word))
  return (distinctive.length > 0 ? distinctive : words)
    .slice(0, 2)
    .map((word) => word.match(/^./u)?.[0].toLocaleUpperCase() ?? '')
    .join('')
}
