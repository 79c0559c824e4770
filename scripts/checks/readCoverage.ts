import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { findFiles } from './sources.ts'
import { visitNodes } from './visitNodes.ts'

/** A test whose title cites a row (`§9.2`) or one fact of a row (`§9.2/5`). */
export type CitingTest = { file: string; title: string }

/** One row of docs/spec/ledger.tsv, or one fact of docs/spec/facts.tsv, with the tests that cite it. */
export type Requirement = {
  id: string
  requirement: string
  tests: CitingTest[]
  /** Why the product deliberately does not follow it, from docs/spec/departures.tsv. */
  departure?: string
}

/** A row and its facts, if it consists of several. */
export type Coverage = Requirement & { facts: Requirement[] }

/** Folders with tests. The tests in `scripts` are excluded: they mention rows without testing them. */
const folders = ['packages', 'apps', 'tests', 'bench']

/**
 * Reads the ledger and every test title statically. Any string in a test file that contains a `§`
 * counts as a title, including those in the rows of an `it.each` table.
 *
 * @returns The coverage in the ledger's order, and one line for each problem.
 */
export function readCoverage(root: string): { rows: Coverage[]; problems: string[] } {
  const rows = readTable(join(root, 'docs/spec/ledger.tsv')).map((row) => ({
    ...row,
    facts: [] as Requirement[],
  }))
  const byId = new Map<string, Requirement>(rows.map((row) => [row.id, row]))
  const problems: string[] = []
  for (const fact of readTable(join(root, 'docs/spec/facts.tsv'))) {
    const [id, number] = fact.id.split('/')
    const row = rows.find((one) => one.id === id)
    if (row && Number(number) === row.facts.length + 1) row.facts.push(fact)
    else problems.push(`docs/spec/facts.tsv: ${fact.id} has no row, or is out of sequence`)
    byId.set(fact.id, fact)
  }
  for (const { id, requirement: departure } of readTable(join(root, 'docs/spec/departures.tsv'))) {
    const departed = byId.get(id)
    if (departed) departed.departure = departure
    else problems.push(`docs/spec/departures.tsv: ${id} is not a row or a fact`)
  }
  const ids = [...byId.keys()]
  const files = folders.flatMap((folder) => findFiles(root, folder, /\.test(-d)?\.tsx?$/))
  for (const file of files) {
    for (const title of readTitles(file, readFileSync(join(root, file), 'utf8'))) {
      const { found, unknown } = readRowIds(title, ids)
      for (const id of found) byId.get(id)?.tests.push({ file, title })
      for (const id of unknown)
        problems.push(`${file}: "${title}" cites §${id}, which is not a row or a fact`)
    }
  }
  for (const { id, departure, tests } of byId.values())
    for (const { file, title } of departure === undefined ? [] : tests)
      problems.push(`${file}: "${title}" cites §${id}, which docs/spec/departures.tsv lists`)
  return { rows, problems }
}

/**
 * The rows that a title cites: one (`§4.3.3`), a fact of one (`§4.3.3/2`), several (`§4.1.1, 4.1.2`,
 * `§4.1.1/4.1.2`), or a range in the ledger's order (`§4.1.1-4.1.3`, in short `§4.1.1-3`, with a hyphen
 * or a dash).
 *
 * @param ids - All ids of rows, in the ledger's order, and of facts.
 */
export function readRowIds(title: string, ids: readonly string[]) {
  const found = new Set<string>()
  const unknown = new Set<string>()
  const fact = String.raw`\/\d+(?!\d|\.\d)`
  const item = String.raw`\d+(?:\.\d+)*(?:${fact}|\s?[-–]\s?\d+(?:\.\d+)*(?![\w.]))?`
  // After the first id, only dotted numbers continue the list: "§4.3.3, 500 ms" cites one row.
  const measure = String.raw`\d+(?:\.\d+)*\s*(?:ms|s|px|KB|MB|%)`
  const next = String.raw`(?:\s?[,/+&]\s?|\s+and\s+)§?(?=\d+\.\d)(?!${measure})${item}`
  for (const [group] of title.matchAll(new RegExp(`§\\s?${item}(?:${next})*`, 'g'))) {
    for (const [, first = '', last] of group.matchAll(
      new RegExp(String.raw`(\d+(?:\.\d+)*(?:${fact})?)(?:\s?[-–]\s?(\d+(?:\.\d+)*))?`, 'g'),
    )) {
      const end = last === undefined ? first : completed(first, last)
      const from = ids.indexOf(first)
      const to = ids.indexOf(end)
      if (from < 0) unknown.add(first)
      if (to < 0) unknown.add(end)
      if (from < 0 || to < 0) continue
      if (to < from) unknown.add(`${first}-${end}`)
      for (const id of ids.slice(from, to + 1)) found.add(id)
    }
  }
  return { found: [...found], unknown: [...unknown] }
}

/** Completes the end of a range: `3` after `4.1.1` is `4.1.3`. */
function completed(first: string, last: string) {
  if (last.includes('.')) return last
  return `${first.slice(0, first.lastIndexOf('.') + 1)}${last}`
}

function readTable(file: string): Requirement[] {
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [id = '', requirement = ''] = line.split('\t')
    return { id, requirement, tests: [] }
  })
}

/** The strings of a test file that contain a `§`; placeholders of templates become `…`. */
export function readTitles(file: string, text: string): string[] {
  if (!text.includes('§')) return []
  const { program, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file} does not parse: ${errors[0].message}`)
  const titles: string[] = []
  visitNodes(program, (node) => {
    if (node['type'] === 'Literal' && typeof node['value'] === 'string') titles.push(node['value'])
    if (node['type'] === 'TemplateLiteral') {
      const quasis = node['quasis'] as { value: { cooked: string } }[]
      titles.push(quasis.map(({ value }) => value.cooked).join('…'))
    }
  })
  return titles.filter((title) => title.includes('§'))
}
