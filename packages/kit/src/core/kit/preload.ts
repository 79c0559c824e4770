import { loadRemoteConfig } from '../features/loadRemoteConfig.ts'
import type { Kit } from './Kit.ts'

/** Loads the site's configuration and wallet suggestions from the server. */
export function preload(kit: Kit): void {
  void loadRemoteConfig(kit)
  // `count` is set once the server has responded.
  if (kit.options.endpoints.gateway && kit.getState().suggestions?.count === undefined)
    void import('../wallets/fetchWallets.ts').then(({ loadSuggestions }) => loadSuggestions(kit))
}
