import { useState } from 'react'

import { showToast } from '../../core/notifications/showToast.ts'
import { useInstance } from '../../react/context.ts'

/**
 * Shares text with another app.
 *
 * @param failed - toast text if the browser refuses
 * @returns `canShare`: whether the browser can; false after it has refused once
 */
export function useShare(failed: string): { canShare: boolean; share: (text: string) => void } {
  const kit = useInstance()
  const [canShare, setCanShare] = useState('share' in navigator)
  const share = (text: string) => {
    Promise.resolve()
      .then(() => navigator.share({ text }))
      .catch((error: Error) => {
        // The visitor dismissed the dialog, or it is still open.
        if (error.name === 'AbortError' || error.name === 'InvalidStateError') return
        setCanShare(false)
        showToast(kit, 'error', failed)
      })
  }
  return { canShare, share }
}
