import { numberFormat } from '../platform/numberFormat.ts'

/**
 * Formats an amount with the digits and separators of the locale.
 *
 * @param amount - a decimal number
 * @param options.significantDigits - rounds up to this many digits, for a fee; by default exact
 * @example formatAmount('1234.000000000000000001', 'en') // '1,234.000000000000000001'
 */
export function formatAmount(
  amount: string,
  locale: string,
  options: { significantDigits?: number | undefined } = {},
): string {
  const { significantDigits } = options
  const format = numberFormat(
    locale,
    significantDigits
      ? { maximumSignificantDigits: significantDigits, roundingMode: 'ceil' }
      : { maximumFractionDigits: 100 },
  )
  // As text, because a number would lose digits.
  return format.format(amount as `${number}`)
}
