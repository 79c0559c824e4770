import type { WalletListing } from '@gatefold/protocol/gateway'

export type { WalletListing }

/** A page of the directory, with the total count. */
export type WalletPage = {
  wallets: readonly WalletListing[]
  count: number
  /** False if the page comes from the bundled directory, because there is no gateway or its request failed. */
  online: boolean
}
