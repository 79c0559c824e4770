import type { KitInstance } from './Kit.ts'

/**
 * Loads the feature configuration and the wallet suggestions from the gateway, and looks up the recent
 * wallets. After a failure, the next call retries.
 */
export function preload(kit: KitInstance): void {
  const { basic, endpoints, features } = kit.options
  // Without these, the default features apply, which the state already has.
  if (endpoints.gateway || features || basic)
    import('../features/loadRemoteConfig.ts').then(
      ({ loadRemoteConfig }) => loadRemoteConfig(kit),
      () => {},
    )
  if (kit.persisted.read().recent.length > kit.getState().recent.length)
    import('../wallets/loadRecentWallets.ts').then(
      ({ loadRecentWallets }) => loadRecentWallets(kit),
      () => {},
    )
  // `count` is set once the gateway has responded.
  if (endpoints.gateway && kit.getState().suggestions?.count === undefined)
    import('../wallets/fetchWallets.ts').then(
      ({ loadSuggestions }) => loadSuggestions(kit),
      () => {},
    )
}
