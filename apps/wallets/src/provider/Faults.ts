import type { Address } from 'viem'

/**
 * When a fault applies: never, at the next request that needs approval (once), at every such request,
 * or at every request of the listed methods, reads included.
 */
export type Trigger = 'off' | 'next' | 'all' | readonly string[]

/** Faults of a demo wallet. Each takes effect immediately and can change at any time. */
export type Faults = {
  /** Answers 4001 without a prompt. */
  reject: Trigger
  /** Never answers. The request stays in `controls.pending` as `hung`, so a test can answer it late. */
  hang: Trigger
  /** Answers -32603. */
  fail: Trigger
  /** Delays every response, errors included, by this many ms. */
  delayMs: number
  /**
   * A network switch that reports success: `'stay'` changes nothing; a number switches to that chain
   * id instead of the requested one.
   */
  wrongChain: 'off' | 'stay' | number
  /** The account the page sees: another one (signatures still come from the real key) or none. */
  lieAboutAccount: 'off' | 'none' | Address
  /** Emits no `accountsChanged`, `chainChanged`, `connect` or `disconnect`. */
  mute: boolean
  /** Methods answered with 4200. */
  unsupported: readonly string[]
}

/** A wallet without faults. */
export const noFaults: Faults = {
  reject: 'off',
  hang: 'off',
  fail: 'off',
  delayMs: 0,
  wrongChain: 'off',
  lieAboutAccount: 'off',
  mute: false,
  unsupported: [],
}
