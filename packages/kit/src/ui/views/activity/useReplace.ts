import { useEffect, useRef, useState } from 'react'

import { UserRejectedError } from '../../../core/kit/errors.ts'
import { NotReplacedError } from '../../../core/money/pending/NotReplacedError.ts'
import { useInstance } from '../../../react/context.ts'

/** A request to speed up or cancel a transaction: in the wallet, or how it ended. */
export type Replacing =
  | { status: 'none' | 'rejected' | 'notReplaced' }
  | { status: 'wallet' | 'sent'; how: 'speedUp' | 'cancel' }
  | { status: 'failed'; error: Error }

/** Speeds up or cancels a pending transaction. */
export function useReplace(id: string): {
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
    show({ status: 'wallet', how })
    try {
      const { cancelTransaction, speedUpTransaction } =
        await import('../../../core/money/pending/replacePending.ts')
      await (how === 'cancel' ? cancelTransaction : speedUpTransaction)(kit, { id })
      show({ status: 'sent', how })
    } catch (error) {
      if (error instanceof UserRejectedError) show({ status: 'rejected' })
      else if (error instanceof NotReplacedError) show({ status: 'notReplaced' })
      else show({ status: 'failed', error: error as Error })
    }
  }
  return { replacing, replace: (how) => void run(how) }
}
