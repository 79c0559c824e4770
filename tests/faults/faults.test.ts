import { expect, test } from 'vitest'
import { whyNoRedis } from '../redis.ts'
import { killRelay } from './killRelay.ts'
import { killStore } from './killStore.ts'
import { brokenOf, formatReport, type Report } from './report.ts'
import { places } from './startRelays.ts'
import { storm } from './storm.ts'

// `npm run faults` runs the same at full size, on a machine that does nothing else; so times are judged
// there alone.
const load = { perSecond: 100, pairs: 10 }
const hasRedis = !(await whyNoRedis())
const here = places.filter((place) => hasRedis || place !== 'Redis')
const stores = (['PostgreSQL', 'Redis'] as const).filter((place) => hasRedis || place !== 'Redis')
const limitMs = 180_000

function holds({ name, findings }: Report) {
  const counts = findings.filter(({ unit }) => unit !== 'ms')
  expect(brokenOf([{ name, findings: counts }]), formatReport({ name, findings })).toEqual([])
}

test.concurrent.each(here)(
  'a relay on %s is killed under load, and loses nothing',
  async (place) => {
    const report = await killRelay({ ...load, place, kills: 2, loadMs: 500 })
    holds(report)
    expect(report.findings).toContainEqual({ what: 'kills', value: 2, unit: '' })
    expect(valueOf(report, 'delivered')).toBeGreaterThan(100)
    expect(valueOf(report, 'session requests')).toBeGreaterThan(2)
  },
  limitMs,
)

test.concurrent.each(stores)(
  '%s behind the relay is killed under load, and nothing is acknowledged until it is back',
  async (place) => {
    const report = await killStore({ ...load, place, awayMs: 2_000 })
    holds(report)
    expect(valueOf(report, 'delivered')).toBeGreaterThan(200)
  },
  limitMs,
)

test.concurrent(
  'idle clients are all back after a kill',
  async () => {
    const report = await storm({ place: 'SQLite', clients: 300 })
    holds(report)
    expect(valueOf(report, 'lines that were cut')).toBe(300)
  },
  limitMs,
)

function valueOf({ findings }: Report, what: string) {
  return findings.find((finding) => finding.what === what)?.value
}
