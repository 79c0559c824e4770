import { limits } from '@gatefold/protocol'

import type { KitInstance } from '../kit/Kit.ts'
import { findWallet } from './findWallet.ts'

/**
 * Looks up the recent wallets of earlier visits in the directory. The storage has only their ids.
 *
 * @see spec §9.2; docs/threats.md#altered-page-storage
 */
export async function loadRecentWallets(kit: KitInstance): Promise<void> {
  const found = await Promise.all(kit.persisted.read().recent.map((id) => findWallet(kit, id)))
  const { recent } = kit.getState()
  const added = found.flatMap((wallet) =>
    wallet && !recent.some(({ id }) => id === wallet.id) ? [wallet] : [],
  )
  if (added.length > 0)
    kit.dispatch({
      type: 'recent.changed',
      recent: [...recent, ...added].slice(0, limits.recentWallets),
    })
}
