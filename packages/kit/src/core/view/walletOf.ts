import type { WalletListing } from '../wallets/WalletListing.ts'
import type { ViewEntry } from './ViewData.ts'

/** The directory wallet that a view is about. */
export function walletOf({ data }: ViewEntry): WalletListing | undefined {
  return data && 'wallet' in data ? data.wallet : undefined
}
