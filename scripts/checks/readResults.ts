import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { CitingTest, Coverage, Requirement } from './readCoverage.ts'

/** A test's outcome in the last `npm test`. */
export type Outcome = 'passed' | 'failed' | 'skipped' | 'not run'

/** The tests of a run, by file. Titles include the titles of their groups. */
export type Results = Map<string, { title: string; outcome: Exclude<Outcome, 'not run'> }[]>

/**
 * Reads vitest's JSON report.
 *
 * @returns undefined if there is no report
 */
export function readResults(root: string, file: string) {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  const report = JSON.parse(text) as {
    startTime: number
    testResults: {
      name: string
      assertionResults: { fullName: string; status: string }[]
    }[]
  }
  const results: Results = new Map(
    report.testResults.map(({ name, assertionResults }) => [
      relative(root, name),
      assertionResults.map(({ fullName, status }) => ({
        title: fullName,
        outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
      })),
    ]),
  )
  return { startedAt: new Date(report.startTime), results }
}

/**
 * The outcome of a title in a test file. A title with placeholders, or a group's title, can match
 * several tests: the outcome is 'failed' if one of them failed, otherwise 'passed' if one passed.
 */
export function outcomeOf({ file, title }: CitingTest, results: Results): Outcome {
  // Placeholders in `it.each` titles and in templates.
  const parts = title
    .split(/%[sdifjo#%]|\$[\w.]+|…/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(parts.join('[^]*'))
  const outcomes = (results.get(file) ?? [])
    .filter((result) => pattern.test(result.title))
    .map(({ outcome }) => outcome)
  return (
    (['failed', 'passed', 'skipped'] as const).find((one) => outcomes.includes(one)) ?? 'not run'
  )
}

/**
 * The status of a row. A row with facts is proved if all its facts are proved, except those that the product
 * deliberately does not follow.
 */
export function provenStatus({ facts, ...row }: Coverage, results: Results) {
  const all = facts.length > 0 ? facts : [row]
  const required = all.filter(({ departure }) => departure === undefined)
  if (required.length === 0) return 'not followed'
  const proven = required.filter((one) => isProved(one, results)).length
  const cited = [row, ...facts].some(({ tests }) => tests.length > 0)
  if (proven === required.length) return 'proved'
  if (proven > 0) return 'partly proved'
  return cited ? 'not proved' : 'without a test'
}

/** Whether a test that cites the requirement has passed and none has failed. */
export function isProved({ tests }: Requirement, results: Results): boolean {
  const outcomes = tests.map((test) => outcomeOf(test, results))
  return outcomes.includes('passed') && !outcomes.includes('failed')
}
