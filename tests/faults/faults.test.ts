import { expect, test } from 'vitest'
import { whyNoRedis } from '../redis.ts'
import { killIndexer } from './killIndexer.ts'
import { killPrimary } from './killPrimary.ts'
import { killRelay } from './killRelay.ts'
import { killStore } from './killStore.ts'
import { describeExceeded, formatReport, type Report } from './report.ts'
import { storeKinds } from './startRelays.ts'
import { storm } from './storm.ts'

// `npm run faults` runs the same faults at full scale, and should run on an idle machine. Only that
// run checks times.
const load = { perSecond: 100, pairs: 10 }
/** All tests run at once, because they mostly wait. On a busy machine, they wait for each other's programs to start. */
const limitMs = 600_000
const hasRedis = !(await whyNoRedis())
const available = storeKinds.filter((storeKind) => hasRedis || storeKind !== 'Redis')
const stores = (['PostgreSQL', 'Redis'] as const).filter(
  (storeKind) => hasRedis || storeKind !== 'Redis',
)

function expectWithinLimits({ name, findings }: Report) {
  const counts = findings.filter(({ unit }) => unit !== 'ms')
  expect(describeExceeded([{ name, findings: counts }]), formatReport({ name, findings })).toEqual(
    [],
  )
}

test.concurrent.each(available)(
  'a relay on %s loses no message when it is killed under load',
  async (storeKind) => {
    const report = await killRelay({ ...load, storeKind, kills: 2, loadMs: 500 })
    expectWithinLimits(report)
    expect(report.findings).toContainEqual({ label: 'kills', value: 2, unit: '' })
    expect(valueOf(report, 'delivered')).toBeGreaterThan(100)
    expect(valueOf(report, 'session requests')).toBeGreaterThan(2)
  },
  limitMs,
)

test.concurrent.each(stores)(
  'a relay acknowledges nothing while its %s is down under load',
  async (storeKind) => {
    const report = await killStore({ ...load, storeKind, downMs: 2_000 })
    expectWithinLimits(report)
    expect(valueOf(report, 'delivered')).toBeGreaterThan(200)
  },
  limitMs,
)

test.skipIf(!hasRedis).concurrent(
  'a primary of a Redis Cluster that is killed under load loses nothing',
  async () => {
    const report = await killPrimary({ ...load, kills: 2, loadMs: 500 })
    expectWithinLimits(report)
    expect(valueOf(report, 'delivered')).toBeGreaterThan(100)
  },
  limitMs,
)

test.concurrent.each(['SQLite', 'PostgreSQL'] as const)(
  'an indexer on %s loses and repeats no transaction when it is killed under load',
  async (storeKind) => {
    const report = await killIndexer({ storeKind, kills: 2, perSecond: 20, loadMs: 500 })
    expectWithinLimits(report)
    expect(valueOf(report, 'reorganizations')).toBeGreaterThan(0)
    expect(valueOf(report, 'transactions on the chain')).toBeGreaterThan(20)
  },
  limitMs,
)

test.concurrent(
  'all idle clients reconnect after the relay is killed',
  async () => {
    const report = await storm({ storeKind: 'SQLite', clients: 300 })
    expectWithinLimits(report)
    expect(valueOf(report, 'connections cut')).toBe(300)
  },
  limitMs,
)

function valueOf({ findings }: Report, label: string) {
  return findings.find((finding) => finding.label === label)?.value
}
