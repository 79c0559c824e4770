import { limits } from '@gatefold/protocol'

import { numberFormat } from '../platform/numberFormat.ts'

/** Numbers with more digits before the decimal point do not fit the card and use scientific notation. */
const longestDigits = 15

/**
 * Formats a balance, rounded down to 3 decimals, with the digits and separators of the locale. Zero is
 * `0.00`; other amounts below 0.001 are `<0.001`.
 *
 * @param balance - decimal string in whole units, of any length, such as `2.4815`
 * @param locale - BCP 47 tag; an invalid one falls back to `en`
 * @example formatBalance('123456.78999', 'en') // '123,456.789'
 */
export function formatBalance(balance: string, locale = 'en'): string {
  const value = /^\d+(\.\d+)?$/.test(balance) ? balance : '0'
  const zero = !/[1-9]/.test(value)
  const point = `${value}.`.indexOf('.')
  const whole = value.slice(0, point).replace(/^0+/, '')
  const rounded = value.slice(0, point + 1 + limits.balanceDecimals)
  // Passed as a string, because a number would lose decimals of large balances.
  const format = (exact: string) =>
    numberFormat(locale, {
      maximumFractionDigits: limits.balanceDecimals,
      minimumFractionDigits: zero ? 2 : 0,
      roundingMode: 'floor',
      notation: whole.length > longestDigits ? 'scientific' : 'standard',
    }).format(exact as `${number}`)
  if (!zero && Number(rounded) === 0) return `<${format(String(10 ** -limits.balanceDecimals))}`
  return format(value)
}
