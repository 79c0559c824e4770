import type { KitInstance } from './Kit.ts'

/**
 * Loads the remote feature configuration, wallet suggestions and the recent wallets from the gateway. After
 * a failure, the next open retries.
 */
export function preload(kit: KitInstance): void {
  const { basic, endpoints, features } = kit.options
  // Otherwise the default features apply.
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
