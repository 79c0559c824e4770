import type { KitInstance } from '../kit/Kit.ts'
import type { State } from '../kit/state.ts'
import { hasInstalledWallet } from './hasInstalledWallet.ts'

/**
 * Whether the wallet list waits for suggested wallets. Without a gateway, it waits only if no wallet is installed
 * or the site has configured wallet ids, because only then does the bundled directory change the list.
 */
export function needsSuggestions(kit: KitInstance, state: State): boolean {
  const { endpoints, featuredWalletIds, excludeWalletIds } = kit.options
  return Boolean(
    endpoints.gateway ||
    featuredWalletIds?.length ||
    excludeWalletIds?.length ||
    !hasInstalledWallet(state),
  )
}
