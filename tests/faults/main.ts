/**
 * `npm run faults`: injects faults into relays and indexers under full load, checks the targets in
 * docs/threats.md#fault-targets, and prints the outcomes of all messages. `npm test` runs most of
 * them at a small scale.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { killIndexer } from './killIndexer.ts'
import { killPrimary } from './killPrimary.ts'
import { killRelay } from './killRelay.ts'
import { killStore } from './killStore.ts'
import { describeExceeded, endWith, formatReport, type Report } from './report.ts'
import { soak } from './soak.ts'
import { storeKinds } from './startRelays.ts'
import { storm } from './storm.ts'

const usage = `npm run faults -- [--only <text>] [--kills 50] [--clients 10000] [--soak <minutes>]

  --only <text>     only the faults whose name contains the text, such as "kill relay", "storm", "Redis"
  --kills <n>       how often a relay or indexer is killed; a primary of a Redis Cluster at most 20 times
  --clients <n>     number of idle clients in a storm
  --soak <minutes>  also runs a steady load for this long; the target is 60`

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
  ...storeKinds.map((storeKind) => ({
    name: `kill relay on ${storeKind}`,
    run: () => killRelay({ ...load, storeKind, kills, loadMs: 1_000 }),
  })),
  ...(['PostgreSQL', 'Redis'] as const).map((storeKind) => ({
    name: `kill store ${storeKind}`,
    run: () => killStore({ ...load, storeKind, downMs: 20_000 }),
  })),
  {
    name: 'kill primary of a Redis Cluster',
    run: () => killPrimary({ ...load, kills: Math.min(kills, 20), loadMs: 1_000 }),
  },
  ...(['SQLite', 'PostgreSQL'] as const).map((storeKind) => ({
    name: `kill indexer on ${storeKind}`,
    run: () => killIndexer({ storeKind, kills, perSecond: 20, loadMs: 1_000 }),
  })),
  ...(['SQLite', 'Redis'] as const).map((storeKind) => ({
    name: `storm on ${storeKind}`,
    run: () => storm({ storeKind, clients }),
  })),
  ...(values.soak === undefined
    ? []
    : [
        {
          name: 'soak on SQLite',
          run: () => soak({ storeKind: 'SQLite', perSecond: 200, minutes: Number(values.soak) }),
        },
      ]),
]

if (values.help) console.log(usage)
else await main()

async function main() {
  const chosen = faults.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()))
  if (chosen.length === 0)
    throw new Error(
      `No fault has a name that contains "${values.only}". The faults:\n${faults.map(({ name }) => `  ${name}`).join('\n')}`,
    )
  const reports: Report[] = []
  for (const { run } of chosen) {
    // Other load on the machine distorts the figures, so the report includes the load.
    const busy = loadavg()[0]!
    const report = await run()
    report.findings.push({ label: 'load of the machine before', value: busy, unit: '' })
    reports.push(report)
    console.log(`${formatReport(report)}\n`)
  }
  const folder = fileURLToPath(new URL('../../.gatefold', import.meta.url))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(`${folder}/faults.json`, `${JSON.stringify(reports, null, 2)}\n`)
  console.log('As JSON: .gatefold/faults.json')
  endWith(describeExceeded(reports))
}
