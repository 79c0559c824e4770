import { getSession } from '../../core/connection/account.ts'
import { useKitState } from '../../react/context.ts'

/** The metadata sent by the wallet of a connector's session; undefined without a session. */
export function usePeer(connector: { id: string } | undefined) {
  return useKitState((state) => getSession(state, connector?.id)?.peer)
}
