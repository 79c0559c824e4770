import { useEffect, useMemo } from 'react'

import { getAccount } from '../core/connection/account.ts'
import type { FamilyParameters } from '../core/connection/account.ts'
import type { PendingTransaction } from '../core/money/pending/PendingTransaction.ts'
import { useInstance, useKitState } from './context.ts'

/**
 * The transactions that this site submitted with the active account, newest
 * first: pending ones, and those that ended in the last 24 hours. They are
 * followed while the page is open, even after a reload and for accounts that
 * are not active.
 *
 * @example
 * const isPending = useKitPendingTransactions().some(({ status }) => status === 'pending')
 */
export function useKitPendingTransactions(
  on: FamilyParameters = {},
): readonly PendingTransaction[] {
  const kit = useInstance()
  const address = useKitState((state) => getAccount(state, on.namespace)?.address)
  const all = useKitState((state) => state.pending)
  useEffect(() => {
    void import('../core/money/pending/followPending.ts').then(
      ({ followPending }) => followPending(kit),
      // The chunk failed to load; the known part of the list is shown.
      () => {},
    )
  }, [kit])
  return useMemo(
    () => all.filter(({ account }) => account.toLowerCase() === address?.toLowerCase()),
    [all, address],
  )
}
