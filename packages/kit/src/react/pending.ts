import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'

import { getAccount } from '../core/connection/account.ts'
import type { FamilyParameters } from '../core/connection/account.ts'
import type { State } from '../core/kit/state.ts'
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

/** When the last of the submitted transactions ended, as Unix time in ms; 0 if none has. */
export function lastEnd({ pending }: State): number {
  return Math.max(0, ...pending.map(({ endedAt = 0 }) => endedAt))
}

/** Refetches data that is older than the end of a submitted transaction. */
export function useRefetchAfterTransaction(
  isEnabled: boolean,
  query: Pick<UseQueryResult, 'dataUpdatedAt' | 'refetch'>,
): void {
  const ended = useKitState(lastEnd)
  const latest = useRef(query)
  useEffect(() => {
    latest.current = query
  })
  useEffect(() => {
    const { dataUpdatedAt, refetch } = latest.current
    // Other components that use the query may have requested it already.
    if (isEnabled && dataUpdatedAt > 0 && ended > dataUpdatedAt)
      void refetch({ cancelRefetch: false })
  }, [isEnabled, ended])
}
