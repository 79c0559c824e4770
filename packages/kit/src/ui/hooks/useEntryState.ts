import { useState, useSyncExternalStore } from 'react'

import { currentView, isOnScreen } from '../../core/view/view.ts'
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

/** The value of a history entry, and the views that show it. */
export type EntryValue<value> = { value: value; listeners: Set<() => void> }

/**
 * A value of a history entry that can also be set while its view is not mounted, such as the progress of a request
 * while the approval of an embedded wallet covers the view.
 *
 * @param initial - a constant of the module: it identifies the view that the value belongs to
 * @returns the value; a function that sets it; and whether the card shows the entry, or returns to it
 */
export function useEntryValue<value>(
  initial: () => EntryValue<value>,
): [value: value, set: (next: value | ((last: value) => value)) => void, isShown: () => boolean] {
  const kit = useInstance()
  const state = useEntryState(initial)
  const [store] = useState(() => {
    const entry = currentView(kit.getState().view)
    return {
      subscribe: (listener: () => void) => {
        state.listeners.add(listener)
        return () => void state.listeners.delete(listener)
      },
      read: () => state.value,
      set: (next: value | ((last: value) => value)) => {
        state.value =
          typeof next === 'function' ? (next as (last: value) => value)(state.value) : next
        for (const listener of state.listeners) listener()
      },
      isShown: () => {
        const { view } = kit.getState()
        return isOnScreen(view) && view.history.includes(entry)
      },
    }
  })
  const value = useSyncExternalStore(store.subscribe, store.read, store.read)
  return [value, store.set, store.isShown]
}
