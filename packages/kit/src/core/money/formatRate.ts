import { numberFormat } from '../platform/numberFormat.ts'
import { compare } from './decimal.ts'

/**
 * Maximum number of digits: decimals for 1 and above, significant digits below
 * 1.
 */
const digits = 4

/**
 * Formats a rate or an estimate: at most four decimals or, below 1, four significant digits, rounded down. Unlike
 * `formatBalance`, it shows small amounts.
 *
 * @param amount - a decimal number
 * @example formatRate('0.000363891', 'en') // '0.0003638'
 */
export function formatRate(amount: string, locale: string): string {
  const options: Intl.NumberFormatOptions = {
    roundingMode: 'floor',
    ...(compare(amount, '1') < 0
      ? { maximumSignificantDigits: digits }
      : { maximumFractionDigits: digits }),
  }
  // Passed as text, because a number would lose digits of large amounts.
  return numberFormat(locale, options).format(amount as `${number}`)
}

/** Formats a percentage with at most two decimals. @param percent - 12.5 is 12.5 % */
export function formatPercent(percent: number, locale: string): string {
  return numberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(percent / 100)
}

/**
 * Formats a change with its sign and at most two decimals.
 *
 * @param percent - -12.5 is a fall by 12.5 %
 * @example formatChange(1.8, 'en') // '+1.8%'
 */
export function formatChange(
  percent: number,
  locale: string,
  signDisplay: 'exceptZero' | 'never' = 'exceptZero',
): string {
  const options = { style: 'percent', maximumFractionDigits: 2, signDisplay } as const
  return numberFormat(locale, options).format(percent / 100)
}
