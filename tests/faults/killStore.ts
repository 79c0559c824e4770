import { setTimeout as wait } from 'node:timers/promises'
import { createTraffic } from './createTraffic.ts'
import { describeTally } from './killRelay.ts'
import type { Finding, Report } from './report.ts'
import { startRelays, type StoreKind, type Relays } from './startRelays.ts'
import { until } from './until.ts'

/**
 * Limit for the relay to recover after the store has restarted. @see docs/threats.md#fault-targets
 */
const recoveryLimitMs = 10_000
/** How long to wait for answers that are in flight when the store is killed. */
const inFlightMs = 500
/** An answer within this time counts as prompt. */
const promptMs = 500

/**
 * Kills the PostgreSQL or Redis server of relays under load, and restarts it later. During the outage,
 * the relays must keep running, report the outage in /health and acknowledge nothing. Afterwards
 * they must recover without a restart.
 */
export async function killStore(options: {
  storeKind: Exclude<StoreKind, 'SQLite'>
  perSecond: number
  pairs: number
  /** How long the store is down. */
  downMs: number
}): Promise<Report> {
  const { storeKind, perSecond, pairs, downMs } = options
  const relays = await startRelays(storeKind)
  const store = relays.store!
  const traffic = createTraffic({ url: relays.url, pairs, perSecond })
  try {
    await until(() => traffic.isReady, recoveryLimitMs)
    traffic.run()
    await until(() => traffic.tally.delivered >= perSecond, recoveryLimitMs)
    const pids = relays.programs.map(({ pid }) => pid)

    await store.kill()
    const degradedMs = await until(() => healthIs(relays, 503), recoveryLimitMs)
    await wait(inFlightMs)
    const before = traffic.tally.acknowledged
    await wait(downMs)
    const acknowledged = traffic.tally.acknowledged - before

    await store.restart()
    const healthyMs = await until(() => healthIs(relays, 200), 2 * recoveryLimitMs)
    const promptAgainMs = await until(() => traffic.oldestPendingMs < promptMs, 2 * recoveryLimitMs)
    traffic.pause()
    const settledMs = await until(() => traffic.isSettled, 2 * recoveryLimitMs)
    const ended = pids.filter((pid) => !isAlive(pid)).length
    return {
      name: `${storeKind} behind the relay down for ${downMs / 1000} s under ${perSecond} messages/s`,
      findings: [
        { label: 'relay processes that ended', value: ended, unit: '', max: 0 },
        within('until /health reports 503', degradedMs),
        { label: 'acknowledged while the store was down', value: acknowledged, unit: '', max: 0 },
        within('until /health reports 200', healthyMs),
        within('until answers are prompt', sum(healthyMs, promptAgainMs)),
        within('until pending messages are delivered', sum(healthyMs, promptAgainMs, settledMs)),
        ...describeTally(traffic.finish()),
      ],
    }
  } finally {
    traffic.close()
    await relays.stop()
  }
}

function within(label: string, ms: number | undefined): Finding {
  return { label, value: ms ?? Infinity, unit: 'ms', max: recoveryLimitMs }
}

/** @returns the sum, or undefined if one of the terms is undefined */
function sum(...parts: (number | undefined)[]) {
  return parts.reduce(
    (total, part) => (total === undefined || part === undefined ? undefined : total + part),
    0,
  )
}

/**
 * Whether every relay's /health returns a status. A failed request does not throw, because a
 * kept-alive connection may be closing; exited processes are checked separately.
 */
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
