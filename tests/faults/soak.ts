import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createTraffic } from './createTraffic.ts'
import { describeTally } from './killRelay.ts'
import type { Report } from './report.ts'
import { startRelays, type StoreKind } from './startRelays.ts'
import { until } from './until.ts'

/** Maximum growth of resident memory per hour. @see docs/threats.md#fault-targets */
const growthLimitMb = 10
const sampleMs = 10_000
/**
 * Share of the run that is not measured, in which caches, the heap's young generation and the
 * database's page cache reach their full size.
 */
const warmupShare = 0.25

/** Runs a steady load for a long time, and measures whether the relay's memory grows. */
export async function soak(options: {
  storeKind: StoreKind
  perSecond: number
  minutes: number
}): Promise<Report> {
  const { storeKind, perSecond, minutes } = options
  const relays = await startRelays(storeKind)
  const traffic = createTraffic({ url: relays.url, pairs: 20, perSecond })
  const samples: { hours: number; mb: number }[] = []
  try {
    await until(() => traffic.isReady, 10_000)
    traffic.run()
    const began = performance.now()
    for (;;) {
      await wait(sampleMs)
      const hours = (performance.now() - began) / 3_600_000
      samples.push({ hours, mb: residentMb(relays.programs[0]!.pid) })
      if (hours * 60 >= minutes) break
    }
    traffic.pause()
    await until(() => traffic.isSettled, 10_000)
    const warm = samples.slice(Math.floor(samples.length * warmupShare))
    return {
      name: `relay on ${storeKind} for ${minutes} min under ${perSecond} messages/s`,
      findings: [
        { label: 'resident memory after the start', value: warm[0]?.mb ?? 0, unit: 'MB' },
        { label: 'resident memory at the end', value: warm.at(-1)?.mb ?? 0, unit: 'MB' },
        { label: 'growth', value: slopeOf(warm), unit: 'MB/h', max: growthLimitMb },
        ...describeTally(traffic.finish()),
      ],
    }
  } finally {
    traffic.close()
    await relays.stop()
  }
}

/** The slope by least squares, so that a garbage collection at either end does not distort it. */
function slopeOf(samples: readonly { hours: number; mb: number }[]) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const hours = mean(samples.map((sample) => sample.hours))
  const mb = mean(samples.map((sample) => sample.mb))
  const over = samples.map((sample) => (sample.hours - hours) * (sample.mb - mb))
  const under = samples.map((sample) => (sample.hours - hours) ** 2)
  return mean(over) / mean(under)
}

/** Resident memory of a process in MB. Linux only: reads procfs. */
function residentMb(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
