import { useState } from 'react'

import { currentView } from '../../core/view/view.ts'
import type { ViewEntry } from '../../core/view/view.ts'
import { useInstance } from '../../react/context.ts'

/** View state by history entry and initializer. An entry's state is garbage collected with the entry. */
const states = new WeakMap<ViewEntry, Map<() => object, object>>()

/**
 * View state that survives navigation, such as a search text or a scroll position. When the visitor
 * returns to a history entry, its view gets the same object.
 *
 * @param initial - a constant of the module: it identifies the view that the state belongs to
 * @returns a mutable object, the same one for the same entry
 */
export function useEntryState<state extends object>(initial: () => state): state {
  const kit = useInstance()
  const [state] = useState(() => {
    const entry = currentView(kit.getState().view)
    const byView = states.get(entry) ?? new Map<() => object, object>()
    const known = (byView.get(initial) as state | undefined) ?? initial()
    states.set(entry, byView.set(initial, known))
    return known
  })
  return state
}
