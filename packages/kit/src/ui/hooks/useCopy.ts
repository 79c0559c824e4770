import { useEffect, useRef, useState } from 'react'

import { useKit } from '../../react/context.ts'

/** How long “copied” stands in place of the label, in ms. */
const confirmMs = 2_000

/**
 * Copies a text and says for two seconds, in place, that it did.
 *
 * @param failed - what a toast says where the browser does not allow it
 */
export function useCopy(failed: string): { copied: boolean; copy: (text: string) => void } {
  const kit = useKit()
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = (text: string) => {
    // Without a secure origin there is no clipboard at all.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(() => {
        clearTimeout(timer.current)
        setCopied(true)
        timer.current = setTimeout(() => setCopied(false), confirmMs)
      })
      .catch(() => kit.toast('error', failed))
  }
  return { copied, copy }
}
