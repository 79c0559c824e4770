/** `npm run attacks`: checks the guards against attacks. See docs/security.md#attacks. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { describeExceeded, endWith, formatReport, type Report } from '../faults/report.ts'
import { formatGuards } from './formatGuards.ts'
import { fullRuns } from './fullRuns.ts'
import { guards } from './guards.ts'
import { formatRows, runGuards } from './runGuards.ts'

const usage = `npm run attacks -- [--only <text>] [--list]

  --only <text>  runs only the guards whose text, test or file contains the text, and the full-size runs
                 (flood, fuzz) whose name contains it; may be repeated
  --list         prints the tables of docs/security.md and runs nothing`

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '')

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    stop.abort()
    process.exit(1)
  })

if (values.help) console.log(usage)
else if (values.list) console.log(formatGuards(guards))
else await main()

async function main() {
  const chosen = guards.filter(({ point, guard, file, test, title }) =>
    isChosen([`${point}. ${guard}`, file, test, title]),
  )
  const runs = fullRuns.filter(({ name }) => isChosen([name]))
  if (chosen.length + runs.length === 0)
    throw new Error(`No guard or run contains ${values.only.join(' or ')}.`)
  const all = values.only.length === 0
  const { rows, problems } =
    chosen.length === 0
      ? { rows: [], problems: [] }
      : await runGuards({ root, guards: chosen, all, signal: stop.signal })
  if (chosen.length > 0) console.log(`\n${formatRows(rows)}\n`)
  const reports: Report[] = []
  for (const { run } of runs) {
    const report = await run()
    reports.push(report)
    console.log(`${formatReport(report)}\n`)
  }
  problems.push(...describeExceeded(reports))
  await save({ guards: rows, reports })
  endWith(problems)
}

function isChosen(texts: readonly string[]) {
  const { only } = values
  return only.length === 0 || only.some((part) => texts.some((text) => text.includes(part)))
}

async function save(results: object) {
  const folder = join(root, '.gatefold')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, 'attacks.json'), `${JSON.stringify(results, null, 2)}\n`)
  console.log('As JSON: .gatefold/attacks.json')
}
