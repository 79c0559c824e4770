import { isOneLine } from '@gatefold/protocol'
import type { AuthPayload, Cacao } from '../Session.ts'

/**
 * Finds a field that would make the text to sign ambiguous: a control character or line break in a field could add
 * lines to the text, and a time that is not a date-time could contain any text.
 *
 * @param payload - from a request or a CACAO
 * @see ERC-4361
 */
export function findInvalidField<payload extends AuthPayload | Cacao['p']>(
  payload: payload,
): (keyof payload & string) | undefined {
  const times = { iat: payload.iat, exp: payload.exp || undefined, nbf: payload.nbf || undefined }
  for (const [field, value] of Object.entries(payload) as [keyof payload & string, unknown][])
    if (![value].flat().every((text) => isOneLine(String(text)))) return field
  for (const field of ['iat', 'exp', 'nbf'] as const)
    if (times[field] !== undefined && Number.isNaN(parseTime(times[field]))) return field
  return undefined
}

/**
 * Parses a date-time with a time zone. Stricter than `Date.parse`, which accepts other formats, with any text in
 * parentheses.
 *
 * @returns Unix time in ms; NaN for any other text
 * @see RFC 3339, section 5.6
 */
export function parseTime(text: string): number {
  const isDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text)
  return isDateTime ? Date.parse(text) : Number.NaN
}
