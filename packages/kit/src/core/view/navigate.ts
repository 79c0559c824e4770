import { limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import { getAccount } from '../connection/account.ts'
import type { Kit } from '../kit/Kit.ts'
import { canClose, currentView } from './view.ts'
import type { ViewEntry } from './view.ts'

/** Goes to another view, with a way back. With a namespace, its wallets alone are offered from here on. */
export function push(kit: Kit, entry: ViewEntry, namespace?: ChainNamespace.ChainNamespace): void {
  kit.dispatch({ type: 'view.pushed', entry, namespace })
}

/** Goes to another view in place of this one. */
export function replace(kit: Kit, entry: ViewEntry): void {
  kit.dispatch({ type: 'view.replaced', entry })
}

/** Goes to a view and forgets the way that led here. */
export function reset(kit: Kit, entry: ViewEntry, namespace?: ChainNamespace.ChainNamespace): void {
  kit.dispatch({ type: 'view.reset', entry, namespace })
}

/** One step back; from the first view, out. @see spec §2.5 */
export function goBack(kit: Kit): void {
  const { view } = kit.getState()
  if (view.history.length < 2) return kit.close()
  if (currentView(view).name === 'ConnectingExternal')
    kit.dispatch({ type: 'attempt.changed', attempt: undefined })
  if (currentView(view).name === 'SwitchNetwork')
    kit.dispatch({ type: 'switching.changed', switching: undefined })
  kit.dispatch({ type: 'view.back', connected: Boolean(getAccount(kit.getState())) })
}

/** Back from a view that a change of network has answered, and past the complaint behind it. */
export function leaveNetworkView(kit: Kit): void {
  goBack(kit)
  const { view } = kit.getState()
  if (view.open && currentView(view).name === 'UnsupportedChain') goBack(kit)
}

/**
 * Closes for the visitor, or shakes for half a second where the view has to be answered first.
 *
 * @see spec §2.9, §4.3.3, §9.6.2
 */
export function safeClose(kit: Kit): void {
  const { view } = kit.getState()
  if (canClose(view, { signInPending: false })) return kit.close()
  if (view.shake) return
  kit.dispatch({ type: 'view.shake', on: true })
  kit.later(() => kit.dispatch({ type: 'view.shake', on: false }), limits.shakeMs)
}
