import { showToast } from '../../core/notifications/showToast.ts'
import { useEffect, useRef, useState } from 'react'

import { useInstance } from '../../react/context.ts'

/** How long `copied` stays true, in ms. */
const confirmMs = 2_000

/**
 * Copies text to the clipboard; `copied` is true for two seconds afterwards.
 *
 * @param failed - toast text if the browser refuses
 */
export function useCopy(failed: string): { copied: boolean; copy: (text: string) => void } {
  const kit = useInstance()
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = (text: string) => {
    // `navigator.clipboard` is undefined in insecure contexts.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(() => {
        clearTimeout(timer.current)
        setCopied(true)
        timer.current = setTimeout(() => setCopied(false), confirmMs)
      })
      .catch(() => showToast(kit, 'error', failed))
  }
  return { copied, copy }
}
