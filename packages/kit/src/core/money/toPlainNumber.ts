/** The digits of Arabic, Persian and full-width keyboards; the last four bits of each are its value. */
const otherDigits = /[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g

/**
 * Converts a number as typed to digits from 0 to 9 with a point: a comma and the Arabic decimal separator count as
 * points, and spaces are ignored. Other characters remain.
 *
 * @example toPlainNumber('٠٫٢٥') // '0.25'
 */
export function toPlainNumber(text: string): string {
  return text
    .replace(otherDigits, (digit) => `${digit.charCodeAt(0) & 15}`)
    .replace(/[,\u066b]/g, '.')
    .replace(/\s/g, '')
}
