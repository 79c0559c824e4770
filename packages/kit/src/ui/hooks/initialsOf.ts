/** Words that so many wallets bear that they tell none from another. */
const common = /^(wallet|app|the|by)$/i

/**
 * The letters that stand for a name where it has no picture: the first of its first two telling words.
 *
 * @returns one or two letters or digits; empty for a name without any
 * @example initialsOf('Trust Wallet') // 'T'
 * @example initialsOf('Binance Web3 Wallet') // 'BW'
 */
export function initialsOf(name: string): string {
  // What stands in brackets explains a name and is no part of it.
  const words = name.replace(/\(.*\)/, '').match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => !common.test(word))
  return (telling.length > 0 ? telling : words)
    .slice(0, 2)
    .map((word) => word.match(/^./u)?.[0].toLocaleUpperCase() ?? '')
    .join('')
}
