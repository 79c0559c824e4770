import type { Hex } from './wallet.ts'

/** `0x1234…cdef`: enough of a long hexadecimal word to compare two by eye. */
export function shorten(word: Hex, ends = 4): string {
  return word.length <= 2 * ends + 3 ? word : `${word.slice(0, 2 + ends)}…${word.slice(-ends)}`
}

/** Rounds down: nobody is told of coins they do not have. */
const compact = new Intl.NumberFormat('en', {
  notation: 'compact',
  maximumFractionDigits: 2,
  roundingMode: 'floor',
})

/**
 * An amount for people: at most four digits that count after the point, never more than there is.
 *
 * @param atomic - In the smallest unit.
 * @param decimals - Digits of that unit after the point.
 * @returns Without the symbol: `2.481`, `10,000`, `1.23M`, `<0.0001`, `0`.
 */
export function formatAmount(atomic: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals)
  const whole = atomic / unit
  if (whole >= 1_000_000n) return compact.format(whole)
  const places = whole >= 1000n ? 2 : whole >= 1n ? 3 : 4
  const fraction = (atomic % unit).toString().padStart(decimals, '0').slice(0, places)
  const shown = fraction.replace(/0+$/, '')
  if (whole === 0n && shown === '') return atomic === 0n ? '0' : '<0.0001'
  const grouped = whole.toString().replace(/\B(?=(\d{3})+$)/g, ',')
  return shown ? `${grouped}.${shown}` : grouped
}

/** An amount for people, with its symbol: `2.481 ETH`. */
export function formatSum(sum: { atomic: bigint; decimals: number; symbol: string }): string {
  return `${formatAmount(sum.atomic, sum.decimals)} ${sum.symbol}`
}
