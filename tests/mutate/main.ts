/**
 * `npm run mutate`: changes the sources in small ways, one at a time, and reports the changes that
 * make no unit test fail. See README.md.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensurePackages } from '../../scripts/launcher/packages.mjs'
import { createSupervisor } from '../../scripts/launcher/supervisor.mjs'
import { areas, luaAreas, selectAreas, selectChanged, selectLuaAreas } from './areas.ts'
import type { LuaArea, Selected } from './areas.ts'
import { createCopy } from '../createCopy.ts'
import { findChangedLines } from './findChangedLines.ts'
import { formatRow, type MutationReport, scoreOf } from './report.ts'
import { luaSurvivors } from './luaSurvivors.ts'
import { runLua } from './runLua.ts'
import { runStryker } from './runStryker.ts'
import { survivors } from './survivors.ts'

const usage = `npm run mutate -- [--only <path>] [--alone] [--since <commit>] [--lua] [--concurrency 1] [--again] [--report]

  --only <path>      a folder or file, such as packages/sign/src/crypto; a file may end in lines, ":10-20"
  --alone            without the areas inside the folder
  --since <commit>   changes only lines that have changed since the commit; not with --lua
  --lua              changes the Lua scripts instead, which needs Redis
  --concurrency <n>  number of test processes
  --again            tests every mutant, instead of only those whose code or tests changed
  --report           runs nothing; reports the results of the previous runs

areas:
${areas.map(({ path }) => `  ${path}`).join('\n')}

Lua scripts:
${luaAreas.map(({ path }) => `  ${path}`).join('\n')}`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    alone: { type: 'boolean', default: false },
    since: { type: 'string', default: '' },
    lua: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '1' },
    again: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const results = join(root, 'test-results/mutate')
const only = values.only.replace(/\/$/, '')

const selected = values.lua ? [] : selectAreas(only, values.alone)
const scripts = values.lua ? selectLuaAreas(only) : []
const isInvalid = selected.length + scripts.length === 0 || (values.lua && values.since !== '')
if (values.help || isInvalid) {
  console.log(usage)
  process.exitCode = values.help ? 0 : 1
} else if (values.since) {
  const changed = selectChanged(selected, await findChangedLines(root, values.since))
  if (changed.length > 0) process.exitCode = await main(changed, [])
  else console.log(`No line has changed since ${values.since}.`)
} else {
  process.exitCode = await main(selected, scripts)
}

/** @returns 1 if a score is too low or missing, a survivor is not listed or a run failed */
async function main(selected: readonly Selected[], scripts: readonly LuaArea[]) {
  const failed = values.report ? [] : [...(await run(selected)), ...(await runScripts(scripts))]
  const rows: string[] = []
  for (const { path, required } of [...selected, ...scripts]) {
    const report = await readReport(path)
    if (!report) {
      failed.push(`${path}: was not run`)
      continue
    }
    const changed = await findChanged(report)
    if (changed.length > 0) failed.push(`${path}: changed since it was run: ${changed.join(', ')}`)
    const score = scoreOf(report, values.lua ? luaSurvivors : survivors)
    rows.push(formatRow(path, score, required))
    for (const mutant of score.unread) console.log(mutant)
    // Of the changed lines, a report has only some of the survivors.
    for (const entry of values.since ? [] : score.outdated)
      console.log(`no longer survives, see the survivors: ${entry}`)
    if (score.percent < required)
      failed.push(`${path}: ${score.percent.toFixed(1)} % killed, ${required} % required`)
    if (score.unread.length > 0)
      failed.push(`${path}: ${score.unread.length} survivors that are not listed`)
  }
  console.log(`
| path | killed | timed out | survived | not covered | equivalent | score | required |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
${failed.map((line) => `\nfailed: ${line}`).join('')}`)
  return failed.length === 0 ? 0 : 1
}

/** @returns the areas whose run failed */
async function run(selected: readonly Selected[]) {
  if (selected.length === 0) return []
  const supervisor = createSupervisor()
  try {
    const major = process.versions.node.split('.')[0] ?? ''
    await ensurePackages(here, process.execPath, major, supervisor)
    const copy = await createCopy(root)
    process.on('exit', copy.remove)
    const failed: string[] = []
    for (const area of selected) {
      console.log(`\n${area.path}`)
      const code = await runStryker({
        area,
        copy: copy.path,
        ...filesOf(area.path),
        again: values.again,
        concurrency: Number(values.concurrency),
        supervisor,
      })
      if (code !== 0) failed.push(`${area.path}: Stryker ended with code ${code}`)
    }
    return failed
  } finally {
    await supervisor.close()
  }
}

async function runScripts(selected: readonly LuaArea[]): Promise<string[]> {
  if (selected.length === 0) return []
  const copy = await createCopy(root)
  process.on('exit', copy.remove)
  await mkdir(results, { recursive: true })
  for (const area of selected) {
    console.log(`\n${area.path}`)
    await writeFile(filesOf(area.path).reportFile, JSON.stringify(await runLua(area, copy.path)))
  }
  return []
}

function filesOf(path: string) {
  const prefix = values.lua ? 'lua-' : ''
  const suffix = values.since ? `-since-${values.since}` : ''
  const name = `${prefix}${path}${suffix}`.replaceAll(/[/:]/g, '-')
  return {
    incrementalFile: join(results, `${name}.incremental.json`),
    reportFile: join(results, `${name}.json`),
  }
}

/** The report from the last run of an area or part of one; `undefined` if it has not been run. */
async function readReport(path: string): Promise<MutationReport | undefined> {
  try {
    return JSON.parse(await readFile(filesOf(path).reportFile, 'utf8')) as MutationReport
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The files of a report whose source is not that of the report. */
async function findChanged({ files }: MutationReport): Promise<string[]> {
  const changed: string[] = []
  for (const [file, { source }] of Object.entries(files)) {
    const current = await readFile(join(root, file), 'utf8').catch(() => undefined)
    if (current !== source) changed.push(file)
  }
  return changed
}
