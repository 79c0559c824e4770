import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crashesFile, reportFile } from './reportFile.ts'

// npm test: all checks and tests. Arguments are passed to vitest: `npm test -- packages/kit`,
// `npm test -- -t "connect"`.
const root = fileURLToPath(new URL('..', import.meta.url))
const tool = (path: string) => join(root, 'node_modules', path)
const resultsFile = join(root, reportFile)

/** Compiled modules of the tests' workers and programs, which otherwise compile the same modules at each of their starts. */
const compileCache = join(root, 'node_modules/.cache/compiled')

/** Independent checks, run in parallel before the tests. */
const checks: { name: string; args: string[] }[] = [
  { name: 'lint', args: [tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'format', args: [tool('oxfmt/bin/oxfmt'), '--check'] },
  { name: 'types', args: [tool('typescript/bin/tsc'), '-p', 'tsconfig.json', '--pretty'] },
  { name: 'checks', args: [join(root, 'scripts/check.ts')] },
]

const startedAt = Date.now()
const failed: string[] = []

for (const check of checks.map((one) => ({ ...one, outcome: run(one.args, 'collect') }))) {
  const { code, output, ms } = await check.outcome
  console.log(`${check.name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds(ms)})`)
  if (code === 0) continue
  failed.push(check.name)
  process.stdout.write(output)
}

mkdirSync(join(root, 'test-results'), { recursive: true })
rmSync(resultsFile, { force: true })
const reporters = ['default', 'json', join(root, 'scripts/crashReporter.ts')]
const { code } = await runVitest(process.argv.slice(2), resultsFile)
const crashes = readCrashes()
const counts = readCounts(resultsFile, crashes)
if (counts.failed > 0 || (code !== 0 && !(await passAgain()))) failed.push('tests')
if (counts.passed + counts.failed === 0) failed.push('tests (none ran)')

console.log(
  `\n${failed.length === 0 ? 'all passed' : `failed: ${failed.join(', ')}`} (${seconds(Date.now() - startedAt)})`,
)
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exitCode = failed.length === 0 ? 0 : 1

function runVitest(args: readonly string[], report: string): Promise<Outcome> {
  rmSync(join(root, crashesFile), { force: true })
  const flags = [...reporters.map((it) => `--reporter=${it}`), `--outputFile.json=${report}`]
  const vitest = [tool('vitest/vitest.mjs'), 'run', ...flags, ...args]
  return run(['--conditions=@gatefold/source', ...vitest], 'show')
}

/**
 * Runs the files again whose process Node.js ended with a crash: on rare occasions, V8 loses track of its compiled code.
 *
 * @returns whether there was such a file, and all of them pass
 * @see https://github.com/nodejs/node/issues/64500
 */
async function passAgain(): Promise<boolean> {
  const files = Object.keys(crashes)
  if (files.length === 0) return false
  for (const [file, signal] of Object.entries(crashes))
    console.log(`\nNode.js crashed with ${signal} in ${file}. The file runs again.`)
  const report = join(root, 'test-results/again.json')
  const again = await runVitest(files, report)
  const { passed } = readCounts(report)
  counts.passed += passed
  return again.code === 0 && passed > 0
}

function readCrashes(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(join(root, crashesFile), 'utf8')) as Record<string, string>
  } catch {
    return {} // vitest exited before it wrote them
  }
}

type Outcome = { code: number; output: string; ms: number }

/** Runs a script with this Node. Streams or collects the output. */
function run(args: string[], mode: 'show' | 'collect'): Promise<Outcome> {
  const start = Date.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
      stdio: ['ignore', mode === 'show' ? 'inherit' : 'pipe', mode === 'show' ? 'inherit' : 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    }
    child.once('error', reject)
    child.once('close', (status) => resolve({ code: status ?? 1, output, ms: Date.now() - start }))
  })
}

/**
 * Reads the counts from a report of vitest. A file that fails to load counts as one failure. What passed in a file before
 * Node.js crashed is not counted.
 */
function readCounts(report: string, crashed: Record<string, string> = {}) {
  try {
    const { numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    ) as {
      numFailedTests: number
      numPendingTests: number
      numTodoTests: number
      testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
    }
    const broken = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    )
    const complete = testResults.filter(({ name }) => !(relative(root, name) in crashed))
    const results = complete.flatMap(({ assertionResults }) => assertionResults)
    return {
      passed: results.filter(({ status }) => status === 'passed').length,
      failed: numFailedTests + broken.length,
      skipped: numPendingTests + numTodoTests,
    }
  } catch {
    return { passed: 0, failed: 0, skipped: 0 } // vitest exited before it wrote the report
  }
}

function seconds(ms: number) {
  return `${(ms / 1000).toFixed(1)} s`
}
