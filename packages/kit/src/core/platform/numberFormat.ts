/**
 * `Intl.NumberFormat`, in English if the locale is invalid: that must not hide the number.
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
