import { loadRemoteConfig } from '../features/loadRemoteConfig.ts'
import type { Kit } from './Kit.ts'

/** Requests what the server knows of the site: its configuration and its wallet suggestions. */
export function preload(kit: Kit): void {
  void loadRemoteConfig(kit)
  // A count means that the server has answered.
  if (kit.options.endpoints.gateway && kit.getState().suggestions?.count === undefined)
    void import('../wallets/fetchWallets.ts').then(({ loadSuggestions }) => loadSuggestions(kit))
}
