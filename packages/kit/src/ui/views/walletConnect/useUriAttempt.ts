import { useEffect, useMemo, useState } from 'react'

import { isPending } from '../../../core/connection/attempt.ts'
import type { Attempt } from '../../../core/connection/attempt.ts'
import type { ConnectProgress } from '../../../core/connection/Connector.ts'
import { viewRule } from '../../../core/view/rules.ts'
import { currentView, isOnScreen } from '../../../core/view/view.ts'
import { useKitState } from '../../../react/context.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'

/** An attempt to connect through a URI, as the WalletConnect views show it. */
export type UriAttempt = Omit<ConnectProgress, 'type' | 'expired'> &
  Pick<Attempt, 'isRetry' | 'error'> & {
    /** `pending`: the URI is being created, or the wallet has not responded yet. */
    status: 'pending' | 'expired' | 'rejected' | 'failed'
  }

/** The current attempt or, during the exit animation, the last one. */
export function useUriAttempt(): UriAttempt | undefined {
  const attempt = useKitState((state) => state.attempt)
  const shown = useKitState(
    ({ view }) => isOnScreen(view) && viewRule(currentView(view).name).drawsAttempt === true,
  )
  const last = useLastValue(attempt, shown)
  return useMemo(() => {
    if (!last) return undefined
    const { isRetry, error, status, progress } = last
    return { ...progress, isRetry, error, status: isPending(status) ? 'pending' : status }
  }, [last])
}

/**
 * How long the relay may be unreachable before the view shows it, in ms. A page that returns from the
 * background usually reconnects within this time.
 */
const offlineMs = 1_000

/** Whether the relay has been unreachable for `offlineMs`. */
export function useOffline(attempt: UriAttempt | undefined): boolean {
  const isOffline = Boolean(attempt?.offline)
  const [isProlonged, setProlonged] = useState(false)
  useEffect(() => {
    if (!isOffline) return
    const timer = setTimeout(() => setProlonged(true), offlineMs)
    return () => {
      clearTimeout(timer)
      setProlonged(false)
    }
  }, [isOffline])
  return isOffline && isProlonged
}
