import { setTimeout as wait } from 'node:timers/promises'
import { createTraffic, percentile, type Tally } from './createTraffic.ts'
import { createSessions } from './createSessions.ts'
import type { Finding, Report } from './report.ts'
import { startRelays, type StoreKind } from './startRelays.ts'
import { until } from './until.ts'

/** Limit for all clients to reconnect after a kill. @see docs/threats.md#fault-targets */
export const reconnectLimitMs = 10_000
/** Before the next kill, waits until no unanswered publish is older than this. */
const backlogLimitMs = 5_000
/** Limit for the delivery of acknowledged messages after every process has restarted. */
const settleLimitMs = 60_000

/**
 * Repeatedly kills a relay under load; with two relays on Redis, kills them in turn. No
 * acknowledged message may be lost, and sessions between our own clients must survive.
 */
export async function killRelay(options: {
  storeKind: StoreKind
  kills: number
  perSecond: number
  pairs: number
  /** Time under load between two kills, once all clients have reconnected. */
  loadMs: number
}): Promise<Report> {
  const { storeKind, kills, perSecond, pairs, loadMs } = options
  const relays = await startRelays(storeKind)
  const traffic = createTraffic({ url: relays.url, pairs, perSecond })
  const sessions = createSessions({ url: relays.url, pairs: 2 })
  let missing = 0
  try {
    await until(() => traffic.isReady, settleLimitMs)
    await sessions.settle()
    sessions.run()
    traffic.run()
    for (let kill = 0; kill < kills; kill += 1) {
      // Kills at a different moment each time.
      await wait(loadMs * (0.5 + Math.random()))
      const program = relays.programs[kill % relays.programs.length]!
      traffic.markFault()
      await program.kill()
      await program.restart()
      if ((await until(() => traffic.isReady, 6 * reconnectLimitMs)) === undefined) missing += 1
      // Otherwise the backlog would grow without bound on a machine that is too slow to catch up
      // between kills.
      await until(() => traffic.oldestPendingMs < backlogLimitMs, settleLimitMs)
    }
    await wait(loadMs)
    traffic.pause()
    const settledMs = await until(() => traffic.isSettled, settleLimitMs)
    const answered = await sessions.finish(settleLimitMs)
    return {
      name: `relay on ${storeKind} killed ${kills} times under ${perSecond} messages/s`,
      findings: [
        { label: 'kills', value: kills, unit: '' },
        ...describeTally(traffic.finish()),
        { label: 'kills after which a client did not reconnect', value: missing, unit: '', max: 0 },
        {
          label: 'until settled after the last kill',
          value: settledMs ?? Infinity,
          unit: 'ms',
          max: settleLimitMs,
        },
        ...answered,
      ],
    }
  } finally {
    traffic.close()
    await sessions.close()
    await relays.stop()
  }
}

/** Lists a tally's figures. Those that the relay guarantees have a limit (`max`). */
export function describeTally(tally: Tally): Finding[] {
  return [
    { label: 'published', value: tally.published, unit: '' },
    { label: 'acknowledged', value: tally.acknowledged, unit: '' },
    { label: 'delivered', value: tally.delivered, unit: '' },
    { label: 'never acknowledged', value: tally.published - tally.acknowledged, unit: '', max: 0 },
    { label: 'lost', value: tally.lost, unit: '', max: 0 },
    { label: 'out of order', value: tally.outOfOrder, unit: '', max: 0 },
    { label: 'duplicates', value: tally.duplicates, unit: '' },
    { label: 'invalid duplicates', value: tally.invalidDuplicates, unit: '', max: 0 },
    { label: 'publishes answered with an error', value: tally.errors, unit: '', max: 0 },
    {
      label: 'slowest reconnect',
      value: tally.slowestReconnectMs,
      unit: 'ms',
      max: reconnectLimitMs,
    },
    { label: 'publish to deliver, median', value: percentile(tally.latenciesMs, 0.5), unit: 'ms' },
  ]
}
