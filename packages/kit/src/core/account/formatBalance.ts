import { limits } from '@gatefold/protocol'

/** From here on a number is written with a power of ten: no card is wide enough for the digits. */
const longestDigits = 15

/**
 * A balance as people read it: rounded down to 3 digits after the point, grouped, in the digits of
 * the locale. Nothing is `0.00`; less than a thousandth is `<0.001`, never a misleading zero.
 *
 * @param balance - whole units as a plain decimal text, exact at any size, such as `2.4815`
 * @param locale - a BCP 47 tag; one that is unknown counts as `en`
 * @see spec §9.3.3, §5.8.2
 * @example formatBalance('123456.78999', 'en') // '123,456.789'
 */
export function formatBalance(balance: string, locale = 'en'): string {
  const value = /^\d+(\.\d+)?$/.test(balance) ? balance : '0'
  const zero = !/[1-9]/.test(value)
  const whole = value.split('.')[0]?.replace(/^0+/, '') ?? ''
  const least = 10 ** -limits.balanceDecimals
  // A text keeps every digit; as a number, 15 whole digits would leave one for the rest.
  const format = (exact: string) =>
    numberFormat(locale, {
      maximumFractionDigits: limits.balanceDecimals,
      minimumFractionDigits: zero ? 2 : 0,
      roundingMode: 'floor',
      notation: whole.length > longestDigits ? 'scientific' : 'standard',
    }).format(exact as `${number}`)
  if (!zero && whole === '' && Number(value) < least) return `<${format(String(least))}`
  return format(value)
}

function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale, options)
  } catch {
    // A malformed tag is the host's mistake; the visitor still sees the number.
    return new Intl.NumberFormat('en', options)
  }
}
