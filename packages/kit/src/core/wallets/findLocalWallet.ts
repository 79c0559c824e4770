import type { Kit } from '../kit/Kit.ts'
import type { WalletListing } from './WalletListing.ts'

/** A wallet by what it is called, among those at hand: the site's own, used lately, suggested. */
export function findLocalWallet(kit: Kit, text: string): WalletListing | undefined {
  const { customWallets = [] } = kit.options
  const { recent, suggestions } = kit.getState()
  const { featured = [], recommended = [] } = suggestions ?? {}
  return [...customWallets, ...recent, ...featured, ...recommended].find((wallet) =>
    isCalled(wallet, text),
  )
}

/** Whether a wallet goes by an id, rdns or name, in any case; “Wallet” at a name's end may be left out. */
export function isCalled(wallet: WalletListing, text: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/ wallet$/, '')
  return (
    wallet.id === text.toLowerCase() ||
    wallet.rdns?.toLowerCase() === text.toLowerCase() ||
    plain(wallet.name) === plain(text)
  )
}
