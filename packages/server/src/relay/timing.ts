import { limits } from '@gatefold/protocol'

/** Periods of the relay's timers in ms; shorter ones for tests. */
export type RelayTiming = {
  /** Between two pings to a socket. */
  pingMs: number
  /** Unacknowledged pushes and slow readers are looked after this often. */
  tickMs: number
}

export const usualTiming: RelayTiming = { pingMs: limits.relayPingMs, tickMs: 1_000 }
