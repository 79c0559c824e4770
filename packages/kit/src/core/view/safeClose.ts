import { limits } from '@gatefold/protocol'

import type { KitInstance } from '../kit/Kit.ts'
import { viewRule } from './rules.ts'
import { currentView } from './view.ts'
import type { ViewState } from './view.ts'

/** Whether the visitor may close the modal; otherwise the card shakes. @see spec §2.9 */
export function canClose(state: ViewState): boolean {
  const rule = viewRule(currentView(state).name)
  const below = state.history.at(-2)
  return !(
    rule.blocksClose === true ||
    (rule.blocksClose === 'above' && below && viewRule(below.name).blocksClose === true)
  )
}

/**
 * Closes the modal, or shakes it for half a second if the view requires an answer first.
 *
 * @see spec §2.9, §4.3.3, §9.6.2
 */
export function safeClose(kit: KitInstance): void {
  const { view } = kit.getState()
  if (canClose(view)) return kit.close()
  if (view.shake) return
  kit.dispatch({ type: 'view.shake', on: true })
  kit.later(() => kit.dispatch({ type: 'view.shake', on: false }), limits.shakeMs)
}
