import { setTimeout as wait } from 'node:timers/promises'
import { createTraffic } from './createTraffic.ts'
import { describeTally } from './killRelay.ts'
import type { Report } from './report.ts'
import { startRelays } from './startRelays.ts'
import { until } from './until.ts'

/** Limit for a failover, until the killed server is a replica and answers are prompt, in ms. */
const failoverLimitMs = 30_000
/** Limit for the delivery of acknowledged messages after the last failover, in ms. */
const settleLimitMs = 60_000

/**
 * Kills the primaries of a Redis Cluster under load, one after the other; a replica is promoted each time.
 * No acknowledged message may be lost, so a message must be on a replica before it is acknowledged.
 */
export async function killPrimary(options: {
  kills: number
  perSecond: number
  pairs: number
  /** Time under load between two kills. */
  loadMs: number
}): Promise<Report> {
  const { kills, perSecond, pairs, loadMs } = options
  const relays = await startRelays('Redis Cluster')
  const cluster = relays.cluster!
  const traffic = createTraffic({ url: relays.url, pairs, perSecond })
  const failoversMs: number[] = []
  try {
    await until(() => traffic.isReady, settleLimitMs)
    traffic.run()
    for (let kill = 0; kill < kills; kill += 1) {
      // Kills at a different moment each time.
      await wait(loadMs * (0.5 + Math.random()))
      const began = performance.now()
      const { killed } = await cluster.failOver(kill % 3)
      await killed.restart()
      await cluster.settle()
      await until(() => traffic.oldestPendingMs < loadMs, failoverLimitMs)
      failoversMs.push(performance.now() - began)
    }
    await wait(loadMs)
    traffic.pause()
    const settledMs = await until(() => traffic.isSettled, settleLimitMs)
    // A message that was delivered before the failover may be stored again with another `seq`.
    const tally = describeTally(traffic.finish()).map(({ label, value, unit, max }) =>
      label === 'invalid duplicates'
        ? { label: 'duplicates with another id', value, unit }
        : { label, value, unit, ...(max !== undefined && { max }) },
    )
    return {
      name: `primary of a Redis Cluster killed ${kills} times under ${perSecond} messages/s`,
      findings: [
        { label: 'kills', value: kills, unit: '' },
        ...tally,
        {
          label: 'slowest failover, until answers are prompt',
          value: Math.max(...failoversMs),
          unit: 'ms',
          max: failoverLimitMs,
        },
        {
          label: 'until settled after the last kill',
          value: settledMs ?? Infinity,
          unit: 'ms',
          max: settleLimitMs,
        },
      ],
    }
  } finally {
    traffic.close()
    await relays.stop()
  }
}
