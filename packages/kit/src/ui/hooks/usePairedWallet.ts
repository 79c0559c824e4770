import type { ChainNamespace } from '@gatefold/protocol'

import { peerOf } from '../../core/walletConnect/peerOf.ts'
import { walletConnectId } from '../../core/walletConnect/WalletConnect.ts'
import { walletConnectOf } from '../../core/walletConnect/walletConnectOf.ts'
import { useKit, useKitState } from '../../react/context.ts'

/**
 * The wallet behind the relay, while one is connected. The relay holds one session at a time: no other
 * wallet can be reached there before this one is let go.
 */
export function usePairedWallet():
  | { name: string; connectorId: string; namespace: ChainNamespace.ChainNamespace }
  | undefined {
  const kit = useKit()
  const namespace = useKitState(({ chains }) =>
    kit.options.namespaces.find((one) =>
      chains[one]?.connections.some(({ connectorId }) => connectorId === walletConnectId),
    ),
  )
  // After a reload the connection is shown before its session, which has the name, is back.
  const name = useKitState(() => peerOf(kit, walletConnectId)?.name) || 'WalletConnect'
  if (!namespace || !walletConnectOf(kit)) return undefined
  return { name, connectorId: walletConnectId, namespace }
}
