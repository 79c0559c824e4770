import type { KitInstance } from './Kit.ts'

/**
 * Loads the remote feature configuration and wallet suggestions from the gateway. After a failure, the
 * next open retries.
 */
export function preload(kit: KitInstance): void {
  const { basic, endpoints, features } = kit.options
  // Otherwise the default features apply.
  if (endpoints.gateway || features || basic)
    import('../features/loadRemoteConfig.ts').then(
      ({ loadRemoteConfig }) => loadRemoteConfig(kit),
      () => {},
    )
  // `count` is set once the gateway has responded.
  if (endpoints.gateway && kit.getState().suggestions?.count === undefined)
    import('../wallets/fetchWallets.ts').then(
      ({ loadSuggestions }) => loadSuggestions(kit),
      () => {},
    )
}
