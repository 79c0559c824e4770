import type { KitInstance } from '../kit/Kit.ts'
import type { WalletListing } from './WalletListing.ts'

/** Finds a wallet by id, rdns or name among custom, recent and suggested wallets. */
export function findLocalWallet(kit: KitInstance, text: string): WalletListing | undefined {
  const { customWallets = [] } = kit.options
  const { recent, suggestions } = kit.getState()
  const { featured = [], recommended = [] } = suggestions ?? {}
  return [...customWallets, ...recent, ...featured, ...recommended].find((wallet) =>
    matchesWallet(wallet, text),
  )
}

/** Whether a wallet has this id, rdns or name, ignoring case and the suffix “Wallet”. */
export function matchesWallet(wallet: WalletListing, text: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/ wallet$/, '')
  return (
    wallet.id.toLowerCase() === text.toLowerCase() ||
    wallet.rdns?.toLowerCase() === text.toLowerCase() ||
    plain(wallet.name) === plain(text)
  )
}
