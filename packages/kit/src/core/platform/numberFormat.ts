/** The formats, by locale and options: creating one takes longer than a hundred numbers. */
const formats = new Map<string, Intl.NumberFormat>()

/**
 * An `Intl.NumberFormat`; in English if the locale is invalid, so that the
 * number is always shown.
 *
 * @param locale - BCP 47 tag
 */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options)
  let format = formats.get(key)
  if (!format) {
    try {
      format = new Intl.NumberFormat(locale, options)
    } catch {
      format = new Intl.NumberFormat('en', options)
    }
    formats.set(key, format)
  }
  return format
}
