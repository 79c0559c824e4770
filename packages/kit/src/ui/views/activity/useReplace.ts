import { useEffect, useRef, useState } from 'react'

import { limits } from '@gatefold/protocol'

import { UserRejectedError } from '../../../core/kit/errors.ts'
import { NotReplacedError } from '../../../core/money/pending/NotReplacedError.ts'
import { showToast } from '../../../core/notifications/showToast.ts'
import { useInstance } from '../../../react/context.ts'

/** A request to speed up or cancel a transaction: in the wallet, or how it ended. */
export type Replacing =
  | { status: 'none' | 'rejected' | 'notReplaced' }
  /** The wallet asks the visitor; `silent` after a minute without a response. */
  | { status: 'wallet'; how: 'speedUp' | 'cancel'; isSilent: boolean }
  | { status: 'sent'; how: 'speedUp' | 'cancel' }
  | { status: 'failed'; error: Error }

/**
 * Speeds up or cancels a pending transaction.
 *
 * @param texts - the toasts after a failure if the visitor has left the view
 */
export function useReplace(
  id: string,
  texts: { failed: string; notReplaced: string },
): {
  replacing: Replacing
  replace: (how: 'speedUp' | 'cancel') => void
} {
  const kit = useInstance()
  const [replacing, setReplacing] = useState<Replacing>({ status: 'none' })
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => void (isMounted.current = false)
  }, [])
  const show = (next: Replacing) => isMounted.current && setReplacing(next)

  async function run(how: 'speedUp' | 'cancel'): Promise<void> {
    show({ status: 'wallet', how, isSilent: false })
    const cancelSilence = kit.later(
      () => show({ status: 'wallet', how, isSilent: true }),
      limits.walletSilenceMs,
    )
    try {
      const { cancelTransaction, speedUpTransaction } =
        await import('../../../core/money/pending/replacePending.ts')
      await (how === 'cancel' ? cancelTransaction : speedUpTransaction)(kit, { id })
      show({ status: 'sent', how })
    } catch (error) {
      if (error instanceof UserRejectedError) show({ status: 'rejected' })
      else if (error instanceof NotReplacedError) show({ status: 'notReplaced' })
      else show({ status: 'failed', error: error as Error })
      if (!isMounted.current)
        showToast(
          kit,
          'error',
          error instanceof NotReplacedError ? texts.notReplaced : texts.failed,
        )
    } finally {
      cancelSilence()
    }
  }
  return { replacing, replace: (how) => void run(how) }
}
