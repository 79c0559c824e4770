import { numberFormat } from '../platform/numberFormat.ts'

/**
 * The decimal separator of a locale between Latin digits: the digits of the amounts that visitors type.
 *
 * @param locale - BCP 47 tag; an invalid one falls back to `en`
 * @example decimalSeparator('de') // ','
 */
export function decimalSeparator(locale: string): string {
  const parts = numberFormat(locale, { numberingSystem: 'latn' }).formatToParts(0.5)
  return parts.find(({ type }) => type === 'decimal')!.value
}
