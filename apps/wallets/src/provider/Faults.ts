import type { Address } from 'viem'

/**
 * When a fault applies: never (`off`), to the next request that needs approval (`next`), to every such
 * request (`all`), or to every request with one of the listed methods, including reads.
 */
export type Trigger = 'off' | 'next' | 'all' | readonly string[]

/** Faults of a demo wallet. They take effect immediately and can change at any time. */
export type Faults = {
  /** Rejects with 4001 without a prompt. */
  reject: Trigger
  /**
   * Leaves the request without a response. It stays in `controls.pending` as `hung`, where a test can
   * approve or reject it later.
   */
  hang: Trigger
  /** Rejects with -32603. */
  fail: Trigger
  /** Delays every response, including errors, by this number of ms. */
  delayMs: number
  /**
   * Makes a network switch report success on the wrong chain: `'stay'` keeps the current one, a number
   * switches to that chain id.
   */
  wrongChain: 'off' | 'stay' | number
  /** The account shown to the page: an address without a key (the selected account signs), or none. */
  lieAboutAccount: 'off' | 'none' | Address
  /** Emits no `accountsChanged`, `chainChanged`, `connect` or `disconnect`. */
  mute: boolean
  /** Methods to reject with 4200. */
  unsupported: readonly string[]
  /**
   * Executes batches atomically, and reports this as a capability: the accounts delegate to `Simple7702Account`
   * (EIP-7702). Without it, they are plain keys, and batches are sent as single transactions. Not a fault, but set like
   * one.
   */
  atomicBatches: boolean
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
  atomicBatches: false,
}
