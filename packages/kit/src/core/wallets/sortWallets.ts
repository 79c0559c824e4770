import type { Connector } from '../connection/Connector.ts'
import type { WalletListing } from './WalletListing.ts'
import { isSameWallet } from './walletRows.ts'

/** Sorts installed wallets first, then featured ones in the configured order. @see spec §9.9.2 */
export function sortWallets(
  wallets: readonly WalletListing[],
  parameters: { connectors: readonly Connector[]; featuredWalletIds: readonly string[] },
): readonly WalletListing[] {
  const { connectors, featuredWalletIds } = parameters
  const rank = (wallet: WalletListing) => {
    if (connectors.some((connector) => isSameWallet(wallet, connector))) return -1
    const featured = featuredWalletIds.indexOf(wallet.id)
    return featured === -1 ? featuredWalletIds.length : featured
  }
  return wallets.toSorted((a, b) => rank(a) - rank(b))
}
