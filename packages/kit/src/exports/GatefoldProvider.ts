import { createElement } from 'react'
import type { ReactNode } from 'react'

import { Provider } from '../ui/Provider.tsx'
import type { GatefoldProviderProps } from '../ui/Provider.tsx'

/** Loads the modal and adds WalletConnect's views. */
async function loadModal() {
  const modal = await import('./chunks/modal.ts')
  modal.addViews(modal.walletConnectViews)
  return modal
}

/**
 * Provides a Gatefold instance to a page and mounts its modal, except with `disableAppend` or
 * `enableEmbedded`.
 *
 * @example <GatefoldProvider kit={kit}>…</GatefoldProvider>
 */
export function GatefoldProvider(props: GatefoldProviderProps): ReactNode {
  return createElement(Provider, { ...props, loadModal })
}
