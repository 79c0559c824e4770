import { useState } from 'react'

import { currentView } from '../../core/view/view.ts'
import type { ViewEntry } from '../../core/view/view.ts'
import { useKit } from '../../react/context.ts'

/** Belongs to an entry of the history, and goes with it. */
const notes = new WeakMap<ViewEntry, object>()

/**
 * What a view remembers until the modal closes or the view is left backwards: a search, a place. It is
 * there again when the visitor comes back to the same entry of the history.
 *
 * @returns the same object for the same entry; to be written to, and read when the view is drawn anew
 */
export function useEntryState<note extends object>(initial: () => note): note {
  const kit = useKit()
  const [note] = useState(() => {
    const entry = currentView(kit.getState().view)
    const known = (notes.get(entry) as note | undefined) ?? initial()
    notes.set(entry, known)
    return known
  })
  return note
}
