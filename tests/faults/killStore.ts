import { setTimeout as wait } from 'node:timers/promises'
import { createTraffic } from './createTraffic.ts'
import { describeTally } from './killRelay.ts'
import type { Finding, Report } from './report.ts'
import { startRelays, type Place, type Relays } from './startRelays.ts'
import { until } from './until.ts'

/** Everything is as usual this soon after the store is back. @see docs/threats.md#fault-targets */
const usualLimitMs = 10_000
/** Answers that were under way when the store ended have come by then. */
const underWayMs = 500
/** Answers up to this time count as normal. */
const promptMs = 500

/**
 * Ends the PostgreSQL or Redis behind relays under load as a crash would, and starts it again later. While
 * it is away the relays stay up, say so, and acknowledge nothing; then they go on by themselves.
 */
export async function killStore(options: {
  place: Exclude<Place, 'SQLite'>
  perSecond: number
  pairs: number
  /** How long the store is away. */
  awayMs: number
}): Promise<Report> {
  const { place, perSecond, pairs, awayMs } = options
  const relays = await startRelays(place)
  const store = relays.store!
  const traffic = createTraffic({ url: relays.url, pairs, perSecond })
  try {
    await until(() => traffic.isBack, usualLimitMs)
    traffic.run()
    await until(() => traffic.tally.delivered >= perSecond, usualLimitMs)
    const pids = relays.programs.map(({ pid }) => pid)

    await store.kill()
    const degradedMs = await until(() => healthIs(relays, 503), usualLimitMs)
    await wait(underWayMs)
    const before = traffic.tally.acknowledged
    await wait(awayMs)
    const acknowledged = traffic.tally.acknowledged - before

    await store.restart()
    const healthyMs = await until(() => healthIs(relays, 200), 2 * usualLimitMs)
    const promptAgainMs = await until(() => traffic.oldestPendingMs < promptMs, 2 * usualLimitMs)
    traffic.pause()
    const settledMs = await until(() => traffic.isSettled, 2 * usualLimitMs)
    const ended = pids.filter((pid) => !isAlive(pid)).length
    return {
      name: `${place} behind the relay away for ${awayMs / 1000} s under ${perSecond} messages/s`,
      findings: [
        { what: 'relay processes that ended', value: ended, unit: '', most: 0 },
        within('until health says degraded', degradedMs),
        { what: 'acknowledged while it was away', value: acknowledged, unit: '', most: 0 },
        within('until health says ok', healthyMs),
        within('until answers are prompt', sum(healthyMs, promptAgainMs)),
        within('until what waited has arrived', sum(healthyMs, promptAgainMs, settledMs)),
        ...describeTally(traffic.finish()),
      ],
    }
  } finally {
    traffic.close()
    await relays.stop()
  }
}

function within(what: string, ms: number | undefined): Finding {
  return { what, value: ms ?? Infinity, unit: 'ms', most: usualLimitMs }
}

/** `undefined` as soon as one of them is. */
function sum(...parts: (number | undefined)[]) {
  return parts.reduce(
    (total, part) => (total === undefined || part === undefined ? undefined : total + part),
    0,
  )
}

/** A failed request is no answer: a kept-alive connection may be closing. The end of a process is checked separately. */
async function healthIs({ programs }: Relays, status: number) {
  const answers = await Promise.all(
    programs.map(({ url }) =>
      fetch(`${url}/health`).then(
        (response) => response.status,
        () => undefined,
      ),
    ),
  )
  return answers.every((answer) => answer === status)
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
