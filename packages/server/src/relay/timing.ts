import { limits } from '@gatefold/protocol'

/** Periods of the relay's timers, in ms; tests shorten them. */
export type RelayTiming = {
  /** Between two pings to a socket. */
  pingMs: number
  /** Between two checks for unacknowledged pushes and slow readers. */
  tickMs: number
  /** Pause before a publish over a storage budget is tried again and refused. */
  overBudgetMs?: number
}

export const usualTiming: RelayTiming = { pingMs: limits.relayPingMs, tickMs: 1_000 }
