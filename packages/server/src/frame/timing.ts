import { limits } from '@gatefold/protocol'

/** Waits of the frame's server, in ms. Tests use shorter ones. */
export type FrameTiming = {
  deviceWaitMs: number
  /** How often a waiting request reads the database, because another process may have stored the confirmation. */
  devicePollMs: number
  /** How often a waiting request polls the Farcaster relay. */
  relayPollMs: number
}

export const frameTiming: FrameTiming = {
  deviceWaitMs: limits.deviceWaitMs,
  devicePollMs: 500,
  relayPollMs: 1_000,
}
