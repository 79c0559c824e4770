import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findFiles } from '../../scripts/checks/sources.ts'
import { createCopy } from '../createCopy.ts'
import type { Guard } from './guards/Guard.ts'
import { runTests, type TestRuns } from './runTests.ts'
import { attackTitles, readAttackTitles, toPattern } from './titles.ts'
import { tryGuard, type Without } from './tryGuard.ts'

/** Time limit for all attack tests, in ms. */
const limitMs = 20 * 60_000
/** Number of guards whose tests run at the same time. They wait for a large part of the time. */
const concurrency = Math.min(8, availableParallelism() + 1)

/** A guard with the results of its test. */
export type GuardRow = Guard & { with: 'passed' | 'failed' | 'not run'; without: Without }

/**
 * Runs the attack tests, then each guard's test in a copy of the repository in which the guard is off. There,
 * the test must fail.
 *
 * @param options.all - whether to run all attack tests first, or only those of the given guards.
 * @returns the rows, and a line for each problem.
 */
export async function runGuards(options: {
  root: string
  guards: readonly Guard[]
  all: boolean
  signal: AbortSignal
}): Promise<{ rows: GuardRow[]; problems: string[] }> {
  const intact = await runIntact(options)
  const rows = await runWithoutGuards(options, intact)
  const problems = [
    ...intact.faults,
    ...intact.tests
      .filter(({ isPassed }) => !isPassed)
      .map(({ file, title, errors }) => `${file}: ${title}: ${errors[0] ?? 'failed'}`),
    ...rows
      .filter((row) => row.with === 'not run')
      .map(({ test, title }) => `${test}: ${title}: not run`),
    ...rows
      .filter(({ without }) => without.outcome !== 'failed')
      .map(({ guard, without: { outcome, detail } }) => `${guard} Without: ${outcome}, ${detail}`),
  ]
  return { rows, problems }
}

/** Runs the tests with all guards on. */
async function runIntact({
  root,
  guards,
  all,
  signal,
}: Parameters<typeof runGuards>[0]): Promise<TestRuns> {
  const files = all ? await findAttackFiles(root) : [...new Set(guards.map(({ test }) => test))]
  const patterns = guards.map(({ title }) => toPattern(title).source)
  const titles = all ? attackTitles : new RegExp(patterns.join('|'))
  const runs = await runTests({ root, files, titles, limitMs, signal })
  const passed = runs.tests.filter(({ isPassed }) => isPassed).length
  console.log(`attack tests: ${passed} of ${runs.tests.length} passed in ${files.length} files`)
  for (const { file, title, isPassed } of runs.tests)
    if (!isPassed) console.log(`  failed: ${file}: ${title}`)
  return runs
}

async function findAttackFiles(root: string) {
  const files = ['packages', 'apps', 'tests', 'scripts'].flatMap((folder) =>
    findFiles(root, folder, /\.test\.tsx?$/),
  )
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))
  return files.filter((file, index) => readAttackTitles(file, texts[index]!).length > 0)
}

/** Runs the tests of several guards at the same time, each in a copy of its own. */
async function runWithoutGuards(
  { root, guards, signal }: Parameters<typeof runGuards>[0],
  intact: TestRuns,
): Promise<GuardRow[]> {
  const rows: GuardRow[] = []
  const remaining = guards.entries()
  async function runNext() {
    const copy = await createCopy(root)
    // The signal's handler exits the process, so `finally` does not run.
    signal.addEventListener('abort', copy.remove)
    try {
      for (const [index, guard] of remaining) {
        const without = await tryGuard(guard, { copy: copy.path, signal })
        const row = { ...guard, with: outcomeOf(guard, intact), without }
        rows[index] = row
        console.log(formatProgress(row))
      }
    } finally {
      copy.remove()
    }
  }
  await Promise.all(Array.from({ length: Math.min(guards.length, concurrency) }, runNext))
  return rows
}

function outcomeOf(guard: Guard, intact: TestRuns): GuardRow['with'] {
  const runs = intact.tests.filter(
    ({ file, title }) => file === guard.test && toPattern(guard.title).test(title),
  )
  if (runs.length === 0) return 'not run'
  return runs.every((run) => run.isPassed) ? 'passed' : 'failed'
}

function formatProgress({ point, guard, without: { outcome, detail, seconds } }: GuardRow) {
  return `  ${point}. ${guard} Without: ${outcome} (${firstLine(detail)}, ${seconds.toFixed(1)} s)`
}

/** Formats the rows as a table of guard, test, with and without. */
export function formatRows(rows: readonly GuardRow[]): string {
  const cells = [
    ['guard', 'test', 'with', 'without'],
    ...rows.map((row) => [
      `${row.point}. ${row.guard}`,
      row.title,
      row.with,
      `${row.without.outcome}, ${firstLine(row.without.detail).slice(0, 40)}`,
    ]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]!.length)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n')
}

function firstLine(text: string) {
  return text.split('\n', 1)[0]!
}
