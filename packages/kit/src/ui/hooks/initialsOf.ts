/** Words that occur in too many names to identify one. */
const common = /^(wallet|app|the|by|of|and)$/i

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
  const words = name.replace(/\(.*\)/, '').match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []
  const distinctive = words.filter((word) => !common.test(word))
  return (distinctive.length > 0 ? distinctive : words)
    .slice(0, 2)
    .map((word) => upperCase(word.match(/^.\p{M}*/u)?.[0] ?? ''))
    .join('')
}

/** Independent of the visitor's language: Turkish would turn `i` into `İ`. `ß` does not become `SS`. */
function upperCase(letter: string): string {
  const upper = letter.toUpperCase()
  return upper.length > letter.length ? letter : upper
}
