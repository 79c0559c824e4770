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
  const format: Intl.NumberFormatOptions = significantDigits
    ? { maximumSignificantDigits: significantDigits, roundingMode: 'ceil' }
    : { maximumFractionDigits: 100 }
  const create = (tag: string) => new Intl.NumberFormat(tag, format)
  // As text, because a number would lose digits.
  const exact = amount as `${number}`
  try {
    return create(locale).format(exact)
  } catch {
    // An invalid locale must not hide the number.
    return create('en').format(exact)
  }
}
