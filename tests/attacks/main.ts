/**
 * `npm run attacks`: runs the tests that attack, then the test of each guard in a copy of the repository in
 * which that guard is off, where it must fail. See docs/security.md#attacks.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findFiles } from '../../scripts/checks/sources.ts'
import { createScratch, type Scratch } from './createScratch.ts'
import { guards, type Guard } from './guards.ts'
import { formatGuards } from './formatGuards.ts'
import { runTests, type TestRuns } from './runTests.ts'
import { attackTitles, readAttackTitles, toPattern } from './titles.ts'
import { tryGuard, type Without } from './tryGuard.ts'

const usage = `npm run attacks -- [--only <text>] [--list]

  --only <text>  guards whose text, test or file contains the text
  --list         prints the lists of docs/security.md and runs nothing`

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '')
/** How long all tests that attack may run. */
const limitMs = 20 * 60_000

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** A guard with the results of its test. */
type Row = Guard & { with: 'passed' | 'failed' | 'not run'; without: Without }

const stop = new AbortController()
let scratch: Scratch | undefined
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    stop.abort()
    scratch?.remove()
    process.exit(1)
  })

if (values.help) console.log(usage)
else if (values.list) console.log(formatGuards(guards))
else await main()

async function main() {
  const chosen = guards.filter(({ point, guard, file, test, title }) =>
    [`${point}. ${guard}`, file, test, title].some((text) => text.includes(values.only)),
  )
  if (chosen.length === 0) throw new Error(`No guard contains "${values.only}".`)
  const intact = await runIntact(chosen)
  const rows = await runWithoutGuards(chosen, intact)
  console.log(`\n${formatRows(rows)}\n`)
  await save(rows)
  const problems = [
    ...intact.faults,
    ...intact.tests
      .filter(({ isPassed }) => !isPassed)
      .map(({ file, title, errors }) => `${file}: ${title}: ${errors[0] ?? 'failed'}`),
    ...rows
      .filter((row) => row.with !== 'passed')
      .map((row) => `${row.test}: ${row.title}: ${row.with} with the guard`),
    ...rows
      .filter(({ without }) => without.outcome !== 'failed')
      .map(({ guard, without: { outcome, detail } }) => `${guard}: ${outcome} without: ${detail}`),
  ]
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}

/** Runs the tests as they are: all that attack, or with `--only` those of the chosen guards. */
async function runIntact(chosen: readonly Guard[]): Promise<TestRuns> {
  const all = values.only === ''
  const patterns = chosen.map(({ title }) => toPattern(title).source)
  const files = all ? await findAttackFiles() : [...new Set(chosen.map(({ test }) => test))]
  const titles = all ? attackTitles : new RegExp(patterns.join('|'))
  const runs = await runTests({ root, files, titles, limitMs, signal: stop.signal })
  const passed = runs.tests.filter(({ isPassed }) => isPassed).length
  console.log(
    `tests that attack: ${passed} of ${runs.tests.length} passed in ${files.length} files`,
  )
  return runs
}

async function findAttackFiles() {
  const files = ['packages', 'apps', 'tests', 'scripts'].flatMap((folder) =>
    findFiles(root, folder, /\.test\.tsx?$/),
  )
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))
  return files.filter((file, index) => readAttackTitles(file, texts[index]!).length > 0)
}

async function runWithoutGuards(chosen: readonly Guard[], intact: TestRuns): Promise<Row[]> {
  scratch = await createScratch(root)
  try {
    const rows: Row[] = []
    for (const guard of chosen) {
      const own = intact.tests.filter(
        ({ file, title }) => file === guard.test && toPattern(guard.title).test(title),
      )
      const without = await tryGuard(guard, { scratch, signal: stop.signal })
      const isPassed = own.every((run) => run.isPassed)
      rows.push({
        ...guard,
        with: own.length === 0 ? 'not run' : isPassed ? 'passed' : 'failed',
        without,
      })
      console.log(formatRow(rows.at(-1)!))
    }
    return rows
  } finally {
    scratch.remove()
  }
}

function formatRow({ point, guard, without }: Row) {
  const { outcome, detail, seconds } = without
  return `  ${point}. ${guard} Without: ${outcome} (${detail.split('\n')[0]}, ${seconds.toFixed(1)} s)`
}

function formatRows(rows: readonly Row[]) {
  const cells = [
    ['guard', 'test', 'with', 'without'],
    ...rows.map((row) => [
      `${row.point}. ${row.guard}`,
      row.title,
      row.with,
      `${row.without.outcome}, ${row.without.detail.split('\n')[0]!.slice(0, 40)}`,
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

async function save(rows: readonly Row[]) {
  const folder = join(root, '.gatefold')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, 'attacks.json'), `${JSON.stringify(rows, null, 2)}\n`)
  console.log('As JSON: .gatefold/attacks.json')
}
