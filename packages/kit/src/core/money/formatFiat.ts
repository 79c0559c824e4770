import { numberFormat } from '../platform/numberFormat.ts'

/**
 * Formats a payment, rounded down to cents, with the digits and separators of the locale. A whole
 * amount has no decimals if `short`.
 *
 * @param amount - a decimal number
 * @param currency - an ISO 4217 code
 * @example formatFiat('1250.5', 'USD', 'en') // '$1,250.50'
 */
export function formatFiat(
  amount: string,
  currency: string,
  locale: string,
  options: { short?: boolean } = {},
): string {
  const isShort = Boolean(options.short) && /^\d+(\.0*)?$/.test(amount)
  return numberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    roundingMode: 'floor',
    ...(isShort && { minimumFractionDigits: 0 }),
    // As text, because a number would lose digits.
  }).format(amount as `${number}`)
}

/** The name of a currency in the visitor's language, or its code. */
export function currencyName(code: string, locale: string): string {
  const name = (tag: string) => new Intl.DisplayNames(tag, { type: 'currency' }).of(code) ?? code
  try {
    return name(locale)
  } catch {
    return name('en')
  }
}
