/** Amounts of money in cents. `text` is a decimal number with at most two decimals. */
export function toCents(text: string): bigint {
  const [units = '0', decimals = ''] = text.split('.')
  return BigInt(units) * 100n + BigInt(decimals.padEnd(2, '0'))
}

export function fromCents(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}

/**
 * A decimal number from a provider, rounded up to cents. Exact, whatever its size.
 *
 * @param value - must be finite and not negative.
 */
export function toMoney(value: number | string): string {
  const [units = '0', decimals = ''] = toDecimal(value).split('.')
  const cents = toCents(`${units}.${decimals.slice(0, 2)}`)
  return fromCents(/[1-9]/.test(decimals.slice(2)) ? cents + 1n : cents)
}

/**
 * A decimal number from a provider, as text without an exponent. A number becomes the shortest text that identifies it.
 *
 * @param value - must be finite and not negative.
 */
export function toDecimal(value: number | string): string {
  const [mantissa = '', exponent] = String(value).split('e')
  if (exponent === undefined) return mantissa
  const power = Number(exponent)
  const [units = '', decimals = ''] = mantissa.split('.')
  return power < 0
    ? `0.${'0'.repeat(-power - 1)}${units}${decimals}`
    : (units + decimals).padEnd(power + 1, '0')
}
