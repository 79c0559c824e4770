import { useCallback, useSyncExternalStore } from 'react'

import { peerOf } from '../../core/walletConnect/peerOf.ts'
import { useKit } from '../../react/context.ts'

/** The wallet at the other end of the relay, where this connector leads there. */
export function usePeer(connector: { id: string } | undefined) {
  const kit = useKit()
  return useSyncExternalStore(
    useCallback((listener) => kit.walletConnect?.subscribe(listener) ?? (() => {}), [kit]),
    () => peerOf(kit, connector?.id),
    () => undefined,
  )
}
