import { limits } from '@gatefold/protocol'

import { numberFormat } from '../platform/numberFormat.ts'
import { compare, roundDown } from './decimal.ts'

/** Amounts from here on are shortened in lists. */
const longFrom = '1000000000'

/**
 * Formats an amount of money, rounded down to the smallest unit of the currency (cents, but whole yen), with the digits and
 * separators of the locale. An amount above 0 and below the smallest unit is `<$0.01`.
 *
 * @param value - a decimal number
 * @param currency - an ISO 4217 code
 * @param options.compact - shortens billions and more, as in `$123.45B`
 * @param options.short - omits the decimals of a whole amount
 * @returns the text in three parts: the text before the cents, the cents with
 *   their separator, and the text after them
 * @see spec §9.3.3
 * @example formatMoney('12480.719', 'USD', 'en') // ['$12,480', '.71', '']
 */
export function formatMoney(
  value: string,
  currency: string,
  locale: string,
  options: { compact?: boolean | undefined; short?: boolean | undefined } = {},
): [main: string, cents: string, rest: string] {
  const isLong = Boolean(options.compact) && compare(value, longFrom) >= 0
  const isShort = Boolean(options.short) && compare(value, roundDown(value, 0)) === 0
  const format = numberFormat(locale, {
    style: 'currency',
    currency,
    roundingMode: 'floor',
    ...(isLong && { notation: 'compact', maximumFractionDigits: limits.moneyDecimals }),
    ...(isShort && { minimumFractionDigits: 0 }),
  })
  const decimals = moneyDecimalsOf(currency)
  const smallest = decimals === 0 ? '1' : `0.${'1'.padStart(decimals, '0')}`
  const isDust = compare(value, '0') > 0 && compare(value, smallest) < 0
  const rounded = isDust ? smallest : isLong ? value : roundDown(value, decimals)
  // Passed as text, because a number would lose digits of large amounts.
  const parts = format.formatToParts(rounded as `${number}`)
  const separator = isLong ? -1 : parts.findIndex(({ type }) => type === 'decimal')
  const point = separator < 0 ? parts.length : separator
  const join = (some: readonly Intl.NumberFormatPart[]) =>
    some
      .map(({ value }) => value)
      .join('')
      // In right-to-left text, the `$` of `US$` would appear on the other side
      // of its letters.
      .replace(/[A-Z]\p{Sc}$/u, '$&\u200E')
  const sign = isDust ? '<' : ''
  // The separator is followed by one part, the fraction.
  const end = Math.min(point + 2, parts.length)
  return [sign + join(parts.slice(0, point)), join(parts.slice(point, end)), join(parts.slice(end))]
}

/**
 * Number of decimals of a currency: 2 for most, 0 for the yen. @param currency
 * - an ISO 4217 code
 */
export function moneyDecimalsOf(currency: string): number {
  const { maximumFractionDigits } = numberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return maximumFractionDigits ?? limits.moneyDecimals
}

/** The symbol of a currency, such as `$`, or its code. @param currency - an ISO 4217 code */
export function currencySymbol(currency: string, locale: string): string {
  const parts = numberFormat(locale, { style: 'currency', currency }).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value ?? currency
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
