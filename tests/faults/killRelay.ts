import { setTimeout as wait } from 'node:timers/promises'
import { createTraffic, percentile, type Tally } from './createTraffic.ts'
import { createSessions } from './createSessions.ts'
import type { Finding, Report } from './report.ts'
import { startRelays, type Place } from './startRelays.ts'
import { until } from './until.ts'

/** Clients are back this soon after a kill. @see docs/threats.md#fault-targets */
export const backLimitMs = 10_000
/** Publishes may wait this long for their answer when the next kill comes. */
const behindMs = 5_000
/** Acknowledged messages arrive within this time after every process runs again. */
const settleLimitMs = 60_000

/**
 * Ends a relay under load as a crash would, again and again; of two on Redis each in turn. Nothing that
 * was acknowledged may be lost, and sessions of our own clients go on.
 */
export async function killRelay(options: {
  place: Place
  kills: number
  perSecond: number
  pairs: number
  /** Load between two kills, once all clients are back. */
  loadMs: number
}): Promise<Report> {
  const { place, kills, perSecond, pairs, loadMs } = options
  const relays = await startRelays(place)
  const traffic = createTraffic({ url: relays.url, pairs, perSecond })
  const sessions = createSessions({ url: relays.url, pairs: 2 })
  let missing = 0
  try {
    await until(() => traffic.isBack, settleLimitMs)
    await sessions.settle()
    sessions.run()
    traffic.run()
    for (let kill = 0; kill < kills; kill += 1) {
      // Varies the moment of the kill.
      await wait(loadMs * (0.5 + Math.random()))
      const program = relays.programs[kill % relays.programs.length]!
      traffic.markBroken()
      await program.kill()
      await program.restart()
      if ((await until(() => traffic.isBack, 6 * backLimitMs)) === undefined) missing += 1
      // On a machine too busy to catch up between two kills, the backlog would grow without bound.
      await until(() => traffic.oldestPendingMs < behindMs, settleLimitMs)
    }
    await wait(loadMs)
    traffic.pause()
    const settledMs = await until(() => traffic.isSettled, settleLimitMs)
    const answered = await sessions.finish(settleLimitMs)
    return {
      name: `relay on ${place} killed ${kills} times under ${perSecond} messages/s`,
      findings: [
        { what: 'kills', value: kills, unit: '' },
        ...describeTally(traffic.finish()),
        { what: 'kills after which a client stayed away', value: missing, unit: '', most: 0 },
        {
          what: 'settled after the last',
          value: settledMs ?? Infinity,
          unit: 'ms',
          most: settleLimitMs,
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

/** The ledger's rows; `most` where the promise of the relay is at stake. */
export function describeTally(tally: Tally): Finding[] {
  return [
    { what: 'published', value: tally.published, unit: '' },
    { what: 'acknowledged', value: tally.acknowledged, unit: '' },
    { what: 'delivered', value: tally.delivered, unit: '' },
    { what: 'never acknowledged', value: tally.published - tally.acknowledged, unit: '', most: 0 },
    { what: 'lost', value: tally.lost, unit: '', most: 0 },
    { what: 'out of order', value: tally.outOfOrder, unit: '', most: 0 },
    { what: 'duplicates', value: tally.duplicates, unit: '' },
    { what: 'duplicates that were needless', value: tally.needless, unit: '', most: 0 },
    { what: 'publishes answered with an error', value: tally.errors, unit: '', most: 0 },
    { what: 'slowest return', value: tally.slowestBackMs, unit: 'ms', most: backLimitMs },
    { what: 'publish to deliver, median', value: percentile(tally.latenciesMs, 0.5), unit: 'ms' },
  ]
}
