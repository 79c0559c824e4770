import { needsSuggestions } from '../wallets/needsSuggestions.ts'
import type { KitInstance } from './Kit.ts'

/**
 * Loads the feature configuration from the gateway and the wallet suggestions, and looks up the recent
 * wallets. After a failure, the next call retries.
 */
export function preload(kit: KitInstance): void {
  // Without a gateway, the site's options apply, which the state already has.
  if (kit.options.endpoints.gateway)
    import('../features/loadRemoteConfig.ts').then(
      ({ loadRemoteConfig }) => loadRemoteConfig(kit),
      () => {},
    )
  if (kit.persisted.read().recent.length > kit.getState().recent.length)
    import('../wallets/loadRecentWallets.ts').then(
      ({ loadRecentWallets }) => loadRecentWallets(kit),
      () => {},
    )
  preloadSuggestions(kit)
}

/** Loads the suggested wallets, if the wallet list needs them: from the gateway or, without one, from the bundled directory. */
export function preloadSuggestions(kit: KitInstance): void {
  const state = kit.getState()
  // `count` is set once they have been loaded.
  if (needsSuggestions(kit, state) && state.suggestions?.count === undefined)
    import('../wallets/fetchWallets.ts').then(
      ({ loadSuggestions }) => loadSuggestions(kit),
      () => {},
    )
}
