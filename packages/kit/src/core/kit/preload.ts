import type { Kit } from './Kit.ts'

/**
 * Gets ready for what a visitor who opened the modal may do next: loads what connecting needs, so that
 * a wallet is asked in the frame of the click, and asks the server. Called once the card is on screen,
 * so that none of it can make the card late.
 */
export function preload(kit: Kit): void {
  for (const adapter of kit.adapters.values()) adapter.preload().catch(() => {})
  void import('../features/loadRemoteConfig.ts').then(({ loadRemoteConfig }) =>
    loadRemoteConfig(kit),
  )
  // A count tells that the server has answered.
  if (kit.options.endpoints.gateway && kit.getState().suggestions?.count === undefined)
    void import('../wallets/fetchWallets.ts').then(({ loadSuggestions }) => loadSuggestions(kit))
}
