import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A test that ran. `errors` has the error message of each attempt. */
export type TestRun = { file: string; title: string; isPassed: boolean; errors: string[] }

/** The tests that ran, and the errors of files or of the run outside any test. */
export type TestRuns = { tests: TestRun[]; faults: string[] }

/**
 * Runs tests in a child process.
 *
 * @param options.root - the repository or a copy of it.
 * @param options.titles - matches the full titles of the tests to run.
 * @param options.limitMs - the process is killed after this time, in ms.
 * @param options.pollMs - time limit for each `expect.poll`, in ms, instead of that of the configuration.
 * @param options.signal - kills the process.
 * @param options.bail - whether the run ends after the first failed test.
 */
export async function runTests(options: {
  root: string
  files: readonly string[]
  titles: RegExp
  limitMs: number
  pollMs?: number
  signal?: AbortSignal | undefined
  bail?: boolean
}): Promise<TestRuns> {
  const { root, files, titles, limitMs, pollMs, signal, bail = false } = options
  const folder = await mkdtemp(join(tmpdir(), 'gatefold-report-'))
  const reportFile = join(folder, 'report.json')
  // Synchronous, because the process exits after a signal.
  const remove = () => rmSync(folder, { recursive: true, force: true })
  signal?.addEventListener('abort', remove)
  try {
    const late = AbortSignal.timeout(limitMs)
    const output = await run(
      root,
      [
        ...files,
        `--testNamePattern=${titles.source}`,
        `--bail=${bail ? 1 : 0}`,
        '--reporter=json',
        `--outputFile=${reportFile}`,
      ],
      pollMs === undefined ? {} : { GATEFOLD_POLL_TIMEOUT: String(pollMs) },
      AbortSignal.any([late, ...(signal ? [signal] : [])]),
    )
    if (late.aborted) return { tests: [], faults: [`no result within ${limitMs / 1000} s`] }
    const text = await readFile(reportFile, 'utf8').catch(() => undefined)
    return text === undefined ? { tests: [], faults: [output] } : readReport(text, root)
  } finally {
    signal?.removeEventListener('abort', remove)
    remove()
  }
}

/** Runs vitest. @returns the end of its output */
function run(
  root: string,
  args: readonly string[],
  variables: Record<string, string>,
  signal: AbortSignal,
) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const isOuter = ([name]: [string, unknown]) => !/^VITEST|^NODE_ENV$/.test(name)
  const child = spawn(process.execPath, ['--conditions=@gatefold/source', vitest, 'run', ...args], {
    cwd: root,
    // Without vitest's variables, because this may run inside a test.
    env: { ...Object.fromEntries(Object.entries(process.env).filter(isOuter)), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = () => {
    child.kill()
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
  }
  signal.addEventListener('abort', stop)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream
      .setEncoding('utf8')
      .on('data', (text: string) => (output = (output + text).slice(-2_000)))
  return new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => {
      signal.removeEventListener('abort', stop)
      resolve(output)
    })
  })
}

function readReport(text: string, root: string): TestRuns {
  const { testResults } = JSON.parse(text) as {
    testResults: {
      name: string
      status: string
      message: string
      assertionResults: { title: string; status: string; failureMessages: string[] | null }[]
    }[]
  }
  const runs: TestRuns = { tests: [], faults: [] }
  for (const { name, status, message, assertionResults } of testResults) {
    const file = name.slice(name.indexOf(root) + root.length + 1)
    if (status === 'failed' && !assertionResults.some((one) => one.status === 'failed'))
      runs.faults.push(`${file}: ${message}`)
    for (const { title, status, failureMessages } of assertionResults)
      if (status === 'passed' || status === 'failed')
        runs.tests.push({
          file,
          title,
          isPassed: status === 'passed',
          errors: failureMessages ?? [],
        })
  }
  return runs
}
