import type { Address } from 'viem'

/**
 * When a fault strikes: never, at the next request a person would be asked about (then it is off
 * again), at each of them, or at each request of the listed methods, reads included.
 */
export type Trigger = 'off' | 'next' | 'all' | readonly string[]

/** What can be wrong with a wallet. Each switch works at once and can be changed at any time. */
export type Faults = {
  /** Answer 4001 without asking anybody. */
  reject: Trigger
  /** Never answer. The request waits in `controls.pending` as `hung`, so a test can answer it late. */
  hang: Trigger
  /** Break: answer -32603. */
  fail: Trigger
  /** Milliseconds every answer, good or bad, comes late. */
  delayMs: number
  /**
   * A network switch that claims success: `'stay'` changes nothing; a number lands on that chain id
   * instead of the one asked for.
   */
  wrongChain: 'off' | 'stay' | number
  /** The account told to the page: another one (signatures still come from the real key) or none. */
  lieAboutAccount: 'off' | 'none' | Address
  /** Forget to tell the page: no `accountsChanged`, `chainChanged`, `connect` or `disconnect`. */
  mute: boolean
  /** Methods this wallet does not know: 4200. */
  unsupported: readonly string[]
}

/** A wallet with nothing wrong. */
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
