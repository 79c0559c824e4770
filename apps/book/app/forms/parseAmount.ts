/** A parsed value, or the message for the visitor if the text is invalid. */
export type Parsed<T> = { value: T; problem?: undefined } | { value?: undefined; problem: string }

/**
 * Parses an amount.
 *
 * @param text - Digits with at most one decimal point.
 * @param decimals - Decimals of the currency.
 * @returns The amount in the smallest unit, above 0.
 */
export function parseAmount(text: string, decimals: number): Parsed<bigint> {
  const trimmed = text.trim()
  if (trimmed === '') return { problem: 'Enter an amount.' }
  if (/^\d*,\d*$/.test(trimmed)) return { problem: 'Use a point for decimals, as in 0.5.' }
  const match = /^(\d*)(?:\.(\d*))?$/.exec(trimmed)
  const [, whole = '', fraction = ''] = match ?? []
  if (whole === '' && fraction === '') return { problem: 'Enter a number, such as 0.5.' }
  if (fraction.length > decimals) {
    return { problem: `Use at most ${decimals} decimals.` }
  }
  const value = BigInt(whole + fraction.padEnd(decimals, '0'))
  return value > 0n ? { value } : { problem: 'Enter an amount above 0.' }
}
