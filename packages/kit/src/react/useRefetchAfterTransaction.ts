import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import type { State } from '../core/kit/state.ts'
import { useKitState } from './context.ts'

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
