import { parseSync } from 'vite'
import { visitNodes } from '../../scripts/checks/visitNodes.ts'

/** The title of a test that attacks: `attack: …`, after the requirements that it cites. */
export const attackTitles = /(?:^|\s)attack: /

/** The titles of the tests in a file that attack, without the requirements that they cite. */
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

/** Matches the title of a test at the end of a full title; `%s` and `$name` stand for any text. */
export function toPattern(title: string): RegExp {
  const parts = title.split(/%[sdij]|\$\w+/)
  const escaped = parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  return new RegExp(`${escaped.join('.*')}$`)
}
