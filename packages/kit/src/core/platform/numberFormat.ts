/**
 * Creates an `Intl.NumberFormat`; in English if the locale is invalid, so that
 * the number is always shown.
 *
 * @param locale - BCP 47 tag
 */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale, options)
  } catch {
    return new Intl.NumberFormat('en', options)
  }
}
