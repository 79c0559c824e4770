import { directionOf } from '@gatefold/protocol/frame'
import type { Catalog, Language } from './language.ts'

export type Values = Readonly<Record<string, string | number>>
export type Translate<text extends Catalog> = (key: keyof text & string, values?: Values) => string

/**
 * Returns a function that translates the keys of `text`. Replaces `{name}` placeholders with `values`.
 *
 * @example const t = translate(approvalText, language); t('approval.signInTo', { site: 'book.example' })
 */
export function translate<text extends Catalog>(
  text: text,
  { tag, catalog }: Language,
): Translate<text> {
  return (key, values = {}) =>
    (catalog[key] ?? text[key] ?? key).replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name]
      return value === undefined ? placeholder : isolate(String(value), tag)
    })
}

/** A value keeps its own direction, so that an amount or address cannot reorder the sentence around it. */
function isolate(value: string, tag: Language['tag']): string {
  return directionOf(tag) === 'rtl' ? `\u2068${value}\u2069` : value
}
