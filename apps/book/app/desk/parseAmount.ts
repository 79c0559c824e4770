/** What was read, or the sentence that says what is wrong with it. */
export type Read<T> = { value: T; problem?: undefined } | { value?: undefined; problem: string }

/**
 * Reads an amount as a person writes it.
 *
 * @param text - Digits with at most one point.
 * @param decimals - Digits after the point that the coin has.
 * @returns In the coin's smallest unit, above 0.
 */
export function parseAmount(text: string, decimals: number): Read<bigint> {
  const trimmed = text.trim()
  if (trimmed === '') return { problem: 'Message how much to send.' }
  if (/^\d*,\d*$/.test(trimmed)) return { problem: 'Write decimals with a point, as in 0.5.' }
  const match = /^(\d*)(?:\.(\d*))?$/.exec(trimmed)
  const [, whole = '', fraction = ''] = match ?? []
  if (whole === '' && fraction === '') return { problem: 'This is not a number.' }
  if (fraction.length > decimals) {
    return { problem: `This coin has ${decimals} digits after the point, not more.` }
  }
  const value = BigInt(whole + fraction.padEnd(decimals, '0'))
  return value > 0n ? { value } : { problem: 'Send more than nothing.' }
}
