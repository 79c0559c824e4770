import type { Kit } from '../Kit.ts'

/**
 * Gets ready for what a visitor who opened the modal may do next: what connecting needs is loaded at
 * once, so that a wallet is asked in the frame of the click; the server is asked once the card is on
 * screen, so that it cannot be late for it.
 *
 * @param afterPaint - calls back when the card is on screen
 */
export function wake(kit: Kit, afterPaint: (run: () => void) => void): void {
  for (const adapter of kit.adapters.values()) adapter.preload().catch(() => {})
  afterPaint(() => {
    void import('./wakeServer.ts').then(({ wakeServer }) => wakeServer(kit))
    // A count tells that the server has answered.
    if (kit.options.endpoints.gateway && kit.getState().suggestions?.count === undefined)
      void import('./wallets.ts').then(({ loadSuggestions }) => loadSuggestions(kit))
  })
}
