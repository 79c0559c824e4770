/**
 * `npm run faults`: breaks relays under load at full size, up to the targets of docs/threats.md#fault-targets, and prints
 * the outcome of every message. `npm test` runs the same at a small size.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { killRelay } from './killRelay.ts'
import { killStore } from './killStore.ts'
import { brokenOf, formatReport, type Report } from './report.ts'
import { soak } from './soak.ts'
import { places } from './startRelays.ts'
import { storm } from './storm.ts'

const usage = `npm run faults -- [--only <text>] [--kills 50] [--clients 10000] [--soak <minutes>]

  --only <text>     faults whose name holds the text, like "kill relay", "storm", "Redis"
  --kills <n>       how often a relay is killed
  --clients <n>     idle clients of a storm
  --soak <minutes>  a steady load that long as well; the target is 60`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    kills: { type: 'string', default: '50' },
    clients: { type: 'string', default: '10000' },
    soak: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const load = { perSecond: 500, pairs: 50 }
const kills = Number(values.kills)
const clients = Number(values.clients)
const faults: { name: string; run: () => Promise<Report> }[] = [
  ...places.map((place) => ({
    name: `kill relay on ${place}`,
    run: () => killRelay({ ...load, place, kills, loadMs: 1_000 }),
  })),
  ...(['PostgreSQL', 'Redis'] as const).map((place) => ({
    name: `kill store ${place}`,
    run: () => killStore({ ...load, place, awayMs: 20_000 }),
  })),
  ...(['SQLite', 'Redis'] as const).map((place) => ({
    name: `storm on ${place}`,
    run: () => storm({ place, clients }),
  })),
  ...(values.soak === undefined
    ? []
    : [
        {
          name: 'soak on SQLite',
          run: () => soak({ place: 'SQLite', perSecond: 200, minutes: Number(values.soak) }),
        },
      ]),
]

if (values.help) console.log(usage)
else await main()

async function main() {
  const chosen = faults.filter(({ name }) => name.includes(values.only))
  if (chosen.length === 0)
    throw new Error(
      `No fault is called "${values.only}":\n${faults.map(({ name }) => `  ${name}`).join('\n')}`,
    )
  const reports: Report[] = []
  for (const { run } of chosen) {
    // A machine that is busy with something else measures that as well.
    const busy = loadavg()[0]!
    const report = await run()
    report.findings.push({ what: 'load of the machine before', value: busy, unit: '' })
    reports.push(report)
    console.log(`${formatReport(report)}\n`)
  }
  const folder = fileURLToPath(new URL('../../.gatefold', import.meta.url))
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}/faults.json`, `${JSON.stringify(reports, null, 2)}\n`)
  console.log('As JSON: .gatefold/faults.json')
  const broken = brokenOf(reports)
  for (const line of broken) console.error(line)
  process.exitCode = broken.length > 0 ? 1 : 0
}
