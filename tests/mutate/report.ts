import { survivors as known } from './survivors.ts'
import type { Survivor } from './survivors/Survivor.ts'

/**
 * The used fields of Stryker's JSON report. @see
 * https://github.com/stryker-mutator/mutation-testing-elements
 */
export type MutationReport = {
  files: Record<string, { source: string; mutants: Mutant[] }>
}
type Mutant = {
  mutatorName: string
  replacement?: string
  status: string
  location: { start: Position; end: Position }
}
/** Lines and columns count from 1. */
type Position = { line: number; column: number }

export type Score = {
  killed: number
  /** The killed mutants that made the tests time out. */
  timedOut: number
  survived: number
  equivalent: number
  noCoverage: number
  /** Percentage of killed mutants among all mutants that are not equivalent. */
  percent: number
  /** Mutants that survived or that no test reaches, and that `survivors` does not list. */
  unread: string[]
  /** Entries of `survivors` for files of the report that no survivor matches. */
  outdated: string[]
}

/** Counts the mutants of a report. A mutant that makes the tests time out counts as killed. */
export function scoreOf(report: MutationReport, list: readonly Survivor[] = known): Score {
  const counts = { killed: 0, timedOut: 0, survived: 0, equivalent: 0, noCoverage: 0 }
  const score = { ...counts, unread: [] as string[] }
  const matched = new Set<Survivor>()
  for (const [file, { source, mutants }] of Object.entries(report.files)) {
    for (const mutant of mutants) {
      const { status, location, mutatorName } = mutant
      if (status === 'Killed' || status === 'Timeout') score.killed += 1
      if (status === 'Timeout') score.timedOut += 1
      if (status !== 'Survived' && status !== 'NoCoverage') continue
      const code = oneLine(textAt(source, location))
      const to = oneLine(mutant.replacement ?? '')
      const listed = list.find((one) => one.file === file && matches(one, code, to))
      if (listed?.equivalent) score.equivalent += 1
      else if (status === 'NoCoverage') score.noCoverage += 1
      else score.survived += 1
      if (listed) {
        matched.add(listed)
        continue
      }
      const place = `${file}:${location.start.line}:${location.start.column}`
      const note = status === 'NoCoverage' ? ', not covered' : ''
      score.unread.push(`${place} (${mutatorName}${note})\n    - ${code}\n    + ${to}`)
    }
  }
  const outdated = list
    .filter((one) => report.files[one.file] && !matched.has(one))
    .map(({ file, code, to }) => `${file}: ${code}${to === undefined ? '' : ` → ${to}`}`)
  const total = score.killed + score.survived + score.noCoverage
  return { ...score, outdated, percent: total === 0 ? 100 : (100 * score.killed) / total }
}

/** A row of the table in README.md. */
export function formatRow(path: string, score: Score, required: number): string {
  const { killed, timedOut, survived, equivalent, noCoverage, percent } = score
  const cells = [killed, timedOut, survived, noCoverage, equivalent, `${percent.toFixed(1)} %`]
  return `| \`${path}\` | ${cells.join(' | ')} | ${required} % |`
}

function matches({ code, to }: Survivor, mutated: string, replacement: string) {
  return isText(code, mutated) && (to === undefined || isText(to, replacement))
}

/** Whether a text equals the expected text. An expected text that ends in `…` is a prefix. */
function isText(expected: string, actual: string) {
  return expected.endsWith('…') ? actual.startsWith(expected.slice(0, -1)) : actual === expected
}

function textAt(source: string, { start, end }: Mutant['location']) {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column - 1)
  lines[0] = lines[0]!.slice(start.column - 1)
  return lines.join('\n')
}

function oneLine(text: string) {
  return text.replace(/\s+/g, ' ').trim()
}
