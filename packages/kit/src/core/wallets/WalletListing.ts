import type { WalletListing } from '@gatefold/protocol/gateway'

export type { WalletListing }

/** A page of the directory, and the number of matching wallets on all pages. */
export type WalletPage = {
  wallets: readonly WalletListing[]
  count: number
  /** False if the page comes from the bundled directory, because there is no gateway or the request failed. */
  online: boolean
}
