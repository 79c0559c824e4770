import type { KitInstance } from '../kit/Kit.ts'
import { currentView } from './view.ts'

// The transitions that every page loads. The others are in navigate.ts.

/** Goes one step back; from the first view, closes the modal. @see spec §2.5 */
export function goBack(kit: KitInstance): void {
  const { view } = kit.getState()
  if (view.history.length < 2) return kit.close()
  kit.dispatch({ type: 'view.back' })
}

/** Goes back from a view after the network has changed, and past the list from which it was chosen. */
export function leaveNetworkView(kit: KitInstance): void {
  goBack(kit)
  const { name } = currentView(kit.getState().view)
  if (name === 'Networks' || name === 'UnsupportedChain') goBack(kit)
}
