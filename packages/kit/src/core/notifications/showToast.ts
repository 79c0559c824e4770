import { limits } from '@gatefold/protocol'

import type { KitInstance } from '../kit/Kit.ts'
import type { ToastVariant } from '../kit/state.ts'
import type { ToastText } from './toasts.ts'

let lastId = 0

/**
 * Shows a toast in the card; it disappears after a few seconds unless it is `loading`.
 *
 * @param text - a plain sentence, or a text from the catalog: `toastOf(key, values)`
 * @see spec §4.3.4
 */
export function showToast(kit: KitInstance, variant: ToastVariant, text: string | ToastText): void {
  const id = ++lastId
  kit.dispatch({
    type: 'toast.shown',
    toast: { id, variant, ...(typeof text === 'string' ? { message: text } : text) },
  })
  // The event is ignored once another toast is shown.
  if (variant !== 'loading')
    kit.later(() => kit.dispatch({ type: 'toast.hidden', id }), limits.toastMs)
}
