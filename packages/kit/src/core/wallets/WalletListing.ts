import type { WalletListing } from '@gatefold/protocol/gateway'

export type { WalletListing }

/** Where a page of the directory came from, and how many wallets there are in all. */
export type WalletPage = {
  wallets: readonly WalletListing[]
  count: number
  /** False when no server answered and the bundled directory was used instead. */
  online: boolean
}
