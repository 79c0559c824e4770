import { limits } from '@gatefold/protocol'

import type { KitInstance } from '../kit/Kit.ts'
import type { WalletListing } from './WalletListing.ts'

/** Adds a wallet to the recent ones, and its id to the stored ones. @see spec §9.2 */
export function addRecentWallet(kit: KitInstance, wallet: WalletListing): void {
  const rest = kit.getState().recent.filter(({ id }) => id !== wallet.id)
  kit.dispatch({
    type: 'recent.changed',
    recent: [wallet, ...rest].slice(0, limits.recentWallets),
  })
  const stored = kit.persisted.read().recent.filter((id) => id !== wallet.id)
  kit.persisted.write({ recent: [wallet.id, ...stored].slice(0, limits.recentWallets) })
}
