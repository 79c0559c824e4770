/** Amounts of money in cents. `text` is a decimal number with at most two decimals. */
export function toCents(text: string): bigint {
  const [units = '0', decimals = ''] = text.split('.')
  return BigInt(units) * 100n + BigInt(decimals.padEnd(2, '0'))
}

export function fromCents(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}

/** A decimal number from a provider, rounded up to cents. */
export function toMoney(value: number | string): string {
  return fromCents(BigInt(Math.ceil(Number(value) * 100 - 1e-6)))
}

/**
 * A decimal number from a provider, as text without an exponent.
 *
 * @param value - must be finite and not negative.
 */
export function toDecimal(value: number | string): string {
  const text = String(value)
  if (/^\d+(\.\d+)?$/.test(text)) return text
  return Number(value)
    .toFixed(18)
    .replace(/\.?0+$/, '')
}
