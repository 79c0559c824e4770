import { useState } from 'react'

import { currentView } from '../../core/view/view.ts'
import type { ViewEntry } from '../../core/view/view.ts'
import { useInstance } from '../../react/context.ts'

/** View state by history entry. An entry's state is garbage collected with the entry. */
const states = new WeakMap<ViewEntry, object>()

/**
 * View state that survives navigation, such as a search text or a scroll position. When the visitor
 * returns to a history entry, its view gets the same object.
 *
 * @returns a mutable object, the same one for the same entry
 */
export function useEntryState<state extends object>(initial: () => state): state {
  const kit = useInstance()
  const [state] = useState(() => {
    const entry = currentView(kit.getState().view)
    const known = (states.get(entry) as state | undefined) ?? initial()
    states.set(entry, known)
    return known
  })
  return state
}
