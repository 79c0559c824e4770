import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const here = new URL('./', import.meta.url)

/** The test titles of a file, without the spec rows that they cite. `…` replaces a table's value. */
function titlesOf(file: string): string[] {
  const source = readFileSync(new URL(file, here), 'utf8')
  const found = source.matchAll(/\btest(?:\.(?:for|each)\([^)]*\))?\(\s*(['"])(.+?)\1,/g)
  return Array.from(found, ([, , title]) => title!.replace(/^(§\S+ )+/, '').replaceAll('%s', '…'))
}

test('docs/compat.md lists exactly the cases that run', () => {
  const page = readFileSync(new URL('../../docs/compat.md', here), 'utf8')
  const sections = Array.from(page.matchAll(/^### `(\S+)`.*\n([^#]*)/gm), ([, file, text]) => [
    file,
    Array.from(text!.matchAll(/^- (.+)$/gm), ([, title]) => title),
  ])
  const files = readdirSync(here).filter(
    (file) => file.endsWith('.test.ts') && file !== 'titles.test.ts',
  )
  expect(Object.fromEntries(sections)).toEqual(
    Object.fromEntries(files.map((file) => [file, titlesOf(file)])),
  )
})
