import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Guard } from './guards/Guard.ts'
import { runTests, type TestRun } from './runTests.ts'
import { toPattern } from './titles.ts'

/** Time limit for a guard's test, in ms. */
const limitMs = 240_000
/** Time limit for each of its polls, in ms. Most of them cannot succeed while the guard is off. */
const pollMs = 15_000

/**
 * The outcome of a guard's test while the guard is off. `failed` means that an assertion failed (or,
 * for a guard with `timesOut`, that the test timed out), so the test detects the missing guard.
 * `broken` means that no test ran or that another error occurred.
 */
export type Without = { outcome: 'failed' | 'passed' | 'broken'; detail: string; seconds: number }

/**
 * Runs a guard's test in a copy of the repository in which the guard is off.
 *
 * @param options.copy - the copy's folder; the changed file is restored
 */
export async function tryGuard(
  guard: Guard,
  { copy, signal }: { copy: string; signal?: AbortSignal },
): Promise<Without> {
  const begin = performance.now()
  const file = join(copy, guard.file)
  const text = await readFile(file, 'utf8')
  // A function, because `$` has a special meaning in a replacement string.
  await writeFile(
    file,
    text.replace(guard.find, () => guard.replace),
  )
  try {
    const { tests, faults } = await runTests({
      root: copy,
      files: [guard.test],
      titles: toPattern(guard.title),
      limitMs,
      pollMs,
      signal,
    })
    const seconds = (performance.now() - begin) / 1000
    return { ...judge(tests, faults, guard), seconds }
  } finally {
    await writeFile(file, text)
  }
}

function judge(
  tests: readonly TestRun[],
  faults: readonly string[],
  { timesOut = false }: Guard,
): Omit<Without, 'seconds'> {
  const failed = tests.filter(({ isPassed }) => !isPassed)
  const count = `${failed.length} of ${tests.length}`
  // An assertion on a promise or in a poll is reported as a plain `Error`.
  const isNoticed = (error: string) =>
    /^AssertionError\b|^Error: (?:expected|promise resolved|promise rejected)\b/.test(error) ||
    (timesOut && /\btimed out in \d+ms/.test(error))
  const noticed = failed.find(({ errors }) => errors.some(isNoticed))
  if (noticed) return { outcome: 'failed', detail: count }
  const [error] = [...failed.flatMap(({ errors }) => errors), ...faults]
  if (error !== undefined) return { outcome: 'broken', detail: error.slice(0, 300) }
  if (tests.length === 0) return { outcome: 'broken', detail: 'no test ran' }
  return { outcome: 'passed', detail: count }
}
