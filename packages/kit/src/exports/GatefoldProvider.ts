import { createElement } from 'react'
import type { ReactNode } from 'react'

import type { KitInstance } from '../core/kit/Kit.ts'
import { Provider } from '../ui/Provider.tsx'
import type { GatefoldProviderProps } from '../ui/Provider.tsx'
import type { ConnectorViews } from '../ui/views.ts'

/** Loads the modal, and adds the views of WalletConnect and of the instance's connectors. */
async function loadModal(kit: KitInstance) {
  const [modal, ...added] = await Promise.all([
    import('./chunks/modal.ts'),
    ...[...kit.connectors.values()].map((connector) => connector.loadViews?.()),
  ])
  modal.addViews(modal.walletConnectViews)
  for (const views of added) if (views) modal.addConnectorViews(views as ConnectorViews)
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
