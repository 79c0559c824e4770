import { expect, test } from 'vitest'
import { describeExceeded, formatReport } from '../faults/report.ts'
import { whyNoRedis } from '../redis.ts'
import { flood } from './flood.ts'

// `npm run attacks -- --only flood` runs the same attacks at full size, and should run on an idle machine. Only
// that run checks times.
const hasRedis = !(await whyNoRedis())

test.each((['SQLite', 'Redis'] as const).filter((storeKind) => hasRedis || storeKind !== 'Redis'))(
  'attack: while all attacks run at once on %s, honest clients are served and memory is bounded',
  async (storeKind) => {
    const report = await flood({ storeKind, addresses: 6, seconds: 8, perSecond: 30 })
    const { name, findings } = report
    const untimed = findings.filter(({ unit }) => unit !== 'ms')
    expect(describeExceeded([{ name, findings: untimed }]), formatReport(report)).toEqual([])
    const delivered = findings.find(({ label }) => label === 'delivered')!.value
    expect(delivered).toBeGreaterThan(50)
  },
)
