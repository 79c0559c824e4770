import { limits } from '@gatefold/protocol'

/** Intervals of the relay's timers, in ms. Tests shorten them. */
export type RelayTiming = {
  /** Interval between pings to a socket. */
  pingMs: number
  /** Interval between checks for unacknowledged pushes and slow readers. */
  tickMs: number
  /** Pause before the only retry of a publish that exceeds a storage budget. */
  overBudgetMs?: number
}

export const usualTiming: RelayTiming = { pingMs: limits.relayPingMs, tickMs: 1_000 }
