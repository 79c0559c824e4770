import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reportFile } from './reportFile.ts'

// npm test: all checks and tests. Arguments are passed to vitest: `npm test -- packages/kit`,
// `npm test -- -t "connect"`.
const root = fileURLToPath(new URL('..', import.meta.url))
const tool = (path: string) => join(root, 'node_modules', path)
const resultsFile = join(root, reportFile)

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
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultsFile}`]
const vitest = [tool('vitest/vitest.mjs'), 'run', ...reporters, ...process.argv.slice(2)]
const { code } = await run(['--conditions=@gatefold/source', ...vitest], 'show')
const counts = readCounts()
if (code !== 0 || counts.failed > 0) failed.push('tests')
if (counts.passed + counts.failed === 0) failed.push('tests (none ran)')

console.log(
  `\n${failed.length === 0 ? 'all passed' : `failed: ${failed.join(', ')}`} (${seconds(Date.now() - startedAt)})`,
)
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exitCode = failed.length === 0 ? 0 : 1

type Outcome = { code: number; output: string; ms: number }

/** Runs a script with this Node. Streams or collects the output. */
function run(args: string[], mode: 'show' | 'collect'): Promise<Outcome> {
  const start = Date.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
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

/** Reads the counts from vitest's report; a file that fails to load counts as one failure. */
function readCounts() {
  try {
    const report = JSON.parse(readFileSync(resultsFile, 'utf8')) as {
      numPassedTests: number
      numFailedTests: number
      numPendingTests: number
      numTodoTests: number
      testResults: { status: string; assertionResults: unknown[] }[]
    }
    const broken = report.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    )
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  } catch {
    return { passed: 0, failed: 0, skipped: 0 } // vitest exited before it wrote the report
  }
}

function seconds(ms: number) {
  return `${(ms / 1000).toFixed(1)} s`
}
