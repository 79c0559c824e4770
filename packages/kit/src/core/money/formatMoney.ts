import { limits } from '@gatefold/protocol'

import { numberFormat } from '../platform/numberFormat.ts'
import { compare, roundDown } from './decimal.ts'

/** Amounts from here on are shortened in lists. */
const longFrom = '1000000000'

/**
 * Formats an amount of US dollars, rounded down to cents, with the digits and separators of the locale. Amounts above 0
 * and below one cent are `<$0.01`.
 *
 * @param value - a decimal number
 * @param options.compact - shortens billions and more, as in `$123.45B`
 * @returns the text in three parts: what stands before the cents, the cents with their separator, and what follows
 * @see spec §9.3.3
 * @example formatMoney('12480.719', 'en') // ['$12,480', '.71', '']
 */
export function formatMoney(
  value: string,
  locale: string,
  options: { compact?: boolean } = {},
): [main: string, cents: string, rest: string] {
  const isDust = compare(value, '0') > 0 && compare(value, '0.01') < 0
  const isLong = Boolean(options.compact) && compare(value, longFrom) >= 0
  const format = numberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    roundingMode: 'floor',
    ...(isLong && { notation: 'compact', maximumFractionDigits: limits.moneyDecimals }),
  })
  const rounded = isDust ? '0.01' : isLong ? value : roundDown(value, limits.moneyDecimals)
  // As text, because a number would lose digits of large amounts.
  const parts = format.formatToParts(rounded as `${number}`)
  const point = isLong ? parts.length : parts.findIndex(({ type }) => type === 'decimal')
  const join = (some: readonly Intl.NumberFormatPart[]) => some.map((part) => part.value).join('')
  const sign = isDust ? '<' : ''
  // The separator is followed by one part, the fraction.
  const end = Math.min(point + 2, parts.length)
  return [sign + join(parts.slice(0, point)), join(parts.slice(point, end)), join(parts.slice(end))]
}
