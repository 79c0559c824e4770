import { toFrameLanguage, type FrameLanguage } from '@gatefold/protocol/frame'
import { readHeader, type HttpContext } from '../../http/access.ts'
import { pageTexts, type PageTexts } from './pageTexts.ts'

/** The language of a page, and its strings. */
export type PageLanguage = {
  tag: FrameLanguage
  /** A string, with a value in place of its placeholder, such as `{email}`. */
  t: (key: keyof PageTexts, value?: string) => string
}

/** The language that a request prefers; English if the frame has none of its languages. */
export function readLanguage(c: HttpContext): FrameLanguage {
  return toFrameLanguage(preferredLanguages(readHeader(c, 'accept-language') ?? ''))
}

/** {@link readLanguage}, with the strings of the pages. */
export function readPageLanguage(c: HttpContext): PageLanguage {
  const tag = readLanguage(c)
  return { tag, t: (key, value = '') => pageTexts[tag][key].replace(/\{\w+\}/, () => value) }
}

/** The tags in `Accept-Language`, the preferred one first. @see RFC 9110, section 12.5.4 */
export function preferredLanguages(header: string): string[] {
  return header
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const weight = parameters.map((one) => /^\s*q=([\d.]+)$/.exec(one)?.[1]).find(Boolean)
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}
