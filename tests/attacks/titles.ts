import { parseSync } from 'vite'
import { visitNodes } from '../../scripts/checks/visitNodes.ts'

/**
 * Matches the title of an attack test: `attack: …`, after the requirements that the title cites.
 */
export const attackTitles = /(?:^|\s)attack: /

/** The titles of a file's attack tests, without the requirements that they cite. */
export function readAttackTitles(file: string, text: string): string[] {
  if (!text.includes('attack: ')) return []
  const titles: string[] = []
  visitNodes(parseSync(file, text).program, ({ type, value }) => {
    if (type !== 'Literal' || typeof value !== 'string') return
    const title = /^(?:§\S+ )*(attack: .*)$/s.exec(value)?.[1]
    if (title !== undefined) titles.push(title)
  })
  return titles
}

/** Matches a test's title at the end of a full title. `%s` and `$name` match any text. */
export function toPattern(title: string): RegExp {
  const parts = title.split(/%[sdij]|\$\w+/)
  const escaped = parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  return new RegExp(`${escaped.join('.*')}$`)
}
