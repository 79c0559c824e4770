import type { ChainNamespace } from '@gatefold/protocol'

import type { KitInstance } from '../kit/Kit.ts'
import type { ViewEntry } from './view.ts'

export { goBack, leaveNetworkView } from './goBack.ts'

/** Opens a view on top of the history. With a namespace, the views then list only that family's wallets. */
export function push(
  kit: KitInstance,
  entry: ViewEntry,
  namespace?: ChainNamespace.ChainNamespace,
): void {
  kit.dispatch({ type: 'view.pushed', entry, namespace })
}

/** Replaces the view on screen. */
export function replace(kit: KitInstance, entry: ViewEntry): void {
  kit.dispatch({ type: 'view.replaced', entry })
}

/** Opens a view and clears the history. */
export function reset(
  kit: KitInstance,
  entry: ViewEntry,
  namespace?: ChainNamespace.ChainNamespace,
): void {
  kit.dispatch({ type: 'view.reset', entry, namespace })
}

/**
 * Goes back to the last entry of a view, with new data. Used by lists in which the visitor chooses a value for an
 * earlier view. If the history has no such entry, replaces the view on screen.
 */
export function returnTo(kit: KitInstance, entry: ViewEntry): void {
  kit.dispatch({ type: 'view.returned', entry })
}
