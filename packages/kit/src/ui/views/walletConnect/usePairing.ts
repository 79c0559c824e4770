import { useEffect, useState } from 'react'

import type { Pairing } from '../../../core/walletConnect/pairing.ts'
import { currentView, isOnScreen } from '../../../core/view/view.ts'
import { useKitState } from '../../../react/context.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'

/** The pairing on offer; once the visitor has left, the last one, for as long as the view takes to go. */
export function usePairing(): Pairing | undefined {
  const pairing = useKitState((state) => state.pairing)
  const here = useKitState(
    ({ view }) => isOnScreen(view) && currentView(view).name.startsWith('ConnectingWalletConnect'),
  )
  return useLastValue(pairing, here)
}

/** How long the relay may be away before it is said, in ms: a page that wakes up has lost it, and gets it back. */
const offlineMs = 1_000

/** Whether the relay is out of reach and has been for a while. */
export function useOffline(pairing: Pairing | undefined): boolean {
  const isAway = Boolean(pairing?.offline)
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
