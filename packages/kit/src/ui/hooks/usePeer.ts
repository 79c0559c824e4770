import { getSession } from '../../core/connection/account.ts'
import { useKitState } from '../../react/context.ts'

/** The metadata that the wallet of a connector's session sent; undefined without a session. */
export function usePeer(connector: { id: string } | undefined) {
  return useKitState((state) => getSession(state, connector?.id)?.peer)
}
