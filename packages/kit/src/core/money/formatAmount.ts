import { numberFormat } from '../platform/numberFormat.ts'

/** Longer amounts have no unit. */
const longestCompact = 15

/**
 * Formats an amount with the digits and separators of the locale.
 *
 * @param amount - a decimal number
 * @param options.significantDigits - rounds up to this many digits, for a fee; by default exact
 * @param options.compact - rounds down to a short number with a unit, such as `1.2K`
 * @example formatAmount('1234.000000000000000001', 'en') // '1,234.000000000000000001'
 */
export function formatAmount(
  amount: string,
  locale: string,
  options: { significantDigits?: number | undefined; compact?: boolean } = {},
): string {
  const { significantDigits, compact } = options
  const format = numberFormat(
    locale,
    significantDigits
      ? { maximumSignificantDigits: significantDigits, roundingMode: 'ceil' }
      : compact
        ? {
            notation: amount.length > longestCompact ? 'scientific' : 'compact',
            maximumFractionDigits: 1,
            roundingMode: 'floor',
          }
        : { maximumFractionDigits: 100 },
  )
  // Passed as text, because a number would lose digits.
  return format.format(amount as `${number}`)
}
