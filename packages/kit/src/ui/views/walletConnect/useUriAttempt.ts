import { useEffect, useMemo, useState } from 'react'

import type { Attempt } from '../../../core/connection/attempt.ts'
import type { ConnectProgress } from '../../../core/connection/Connector.ts'
import { viewRule } from '../../../core/view/rules.ts'
import { currentView, isOnScreen } from '../../../core/view/view.ts'
import { useKitState } from '../../../react/context.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'

/** An attempt with a URI, as these views draw it. */
export type UriAttempt = Omit<ConnectProgress, 'type' | 'expired'> &
  Pick<Attempt, 'id' | 'error'> & {
    /** `pending`: a URI is made or shown. */
    status: 'pending' | 'expired' | 'rejected' | 'failed'
  }

/** The attempt on screen; after the visitor has left, the last one while the view fades out. */
export function useUriAttempt(): UriAttempt | undefined {
  const attempt = useKitState((state) => state.attempt)
  const shown = useKitState(
    ({ view }) => isOnScreen(view) && viewRule(currentView(view).name).drawsAttempt === true,
  )
  const last = useLastValue(attempt, shown)
  return useMemo(() => {
    if (!last) return undefined
    const { id, error, status, progress } = last
    const isPending = status === 'waiting' || status === 'silent'
    return { ...progress, id, error, status: isPending ? 'pending' : status }
  }, [last])
}

/** How long the relay may be unreachable before the view says so, in ms: a page that wakes up reconnects. */
const offlineMs = 1_000

/** Whether the relay has been unreachable for a while. */
export function useOffline(attempt: UriAttempt | undefined): boolean {
  const isAway = Boolean(attempt?.offline)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isAway) return
    const timer = setTimeout(() => setLong(true), offlineMs)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isAway])
  return isAway && isLong
}
