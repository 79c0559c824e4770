import type { ChainNamespace } from '@gatefold/protocol'

import { getSession, isConnectedBy } from '../../core/connection/account.ts'
import { findUniversalConnector } from '../../core/connection/findUniversalConnector.ts'
import { useInstance, useKitState } from '../../react/context.ts'

/**
 * The wallet connected through the universal connector, which holds one session at a time: another wallet
 * can connect only after this one is disconnected.
 */
export function usePairedWallet():
  | { name: string; connectorId: string; namespace: ChainNamespace.ChainNamespace }
  | undefined {
  const kit = useInstance()
  const connector = useKitState(({ connectors }) => findUniversalConnector(connectors))
  const namespace = useKitState((state) =>
    kit.options.namespaces.find((family) => isConnectedBy(state, connector?.id, family)),
  )
  // After a reload, the connection is restored before its session, but only the session has the name.
  const name = useKitState((state) => getSession(state, connector?.id)?.peer.name)
  if (!namespace || !connector) return undefined
  return { name: name || connector.name, connectorId: connector.id, namespace }
}
