import { limits } from '@gatefold/protocol'

/** Periods of the relay's timers, in ms; tests shorten them. */
export type RelayTiming = {
  /** Between two pings to a socket. */
  pingMs: number
  /** Between two checks for unacknowledged pushes and slow readers. */
  tickMs: number
}

export const usualTiming: RelayTiming = { pingMs: limits.relayPingMs, tickMs: 1_000 }
