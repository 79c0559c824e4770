import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPages } from '../api/readPages.ts'
import type { Doc } from '../api/readApi.ts'
import { keyOf, renderPages, type Page } from '../api/renderApi.ts'

const folder = 'docs/api'

/** Matches citations that readers of the published package cannot open. */
const unreachable = /\bspec §|\bdocs\/[\w/-]+\.md|\bADR\b/

/**
 * Reports undocumented exports of the published entries, and differences between docs/api and the types.
 *
 * @returns One line for each problem.
 */
export function findApiProblems(root: string): string[] {
  const pages = readPages(root)
  return [...findDocProblems(pages), ...findStalePages(root, renderPages(pages))]
}

/**
 * Reports exports, and properties of exported types, without JSDoc; types that an export mentions but that cannot be
 * imported; and citations that can be opened only in the repository.
 */
export function findDocProblems(pages: readonly Page[]): string[] {
  const exported = new Set(pages.flatMap(({ items }) => items.map(keyOf)))
  const problems = pages.flatMap(({ specifier, items }) =>
    items.flatMap((item) => {
      const place = `${specifier}: ${item.name}`
      const members = item.members
        .filter(({ doc, fixed, isResult }) => !doc && !fixed && !isResult)
        .map(({ name }) => `${place} has no JSDoc for ${name}`)
      const hidden = item.references
        .filter((other) => !exported.has(keyOf(other)))
        .map(({ name }) => `${place} mentions ${name}, which is not exported`)
      const cited = [item, ...item.members].flatMap(({ doc }) => (doc ? citationsOf(doc) : []))
      return [
        ...(item.doc ? [] : [`${place} has no JSDoc`]),
        ...members,
        ...hidden,
        ...cited.map((text) => `${place} cites "${text}", which the package does not contain`),
      ]
    }),
  )
  return [...new Set(problems)]
}

function citationsOf({ text, tags }: Doc): string[] {
  return [text, ...tags.map((tag) => tag.text)].flatMap((part) => part.match(unreachable) ?? [])
}

/** Reports pages that differ from the generated ones. */
export function findStalePages(root: string, pages: ReadonlyMap<string, string>): string[] {
  const path = join(root, folder)
  const present = existsSync(path) ? readdirSync(path) : []
  const stale = [...pages].filter(
    ([file, text]) => !present.includes(file) || readFileSync(join(path, file), 'utf8') !== text,
  )
  return [...stale.map(([file]) => file), ...present.filter((file) => !pages.has(file))].map(
    (file) => `${folder}/${file} is not up to date: run \`npm run docs:api\``,
  )
}
