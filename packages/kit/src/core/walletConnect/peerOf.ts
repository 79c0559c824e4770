import type { Kit } from '../kit/Kit.ts'
import { walletConnectId } from './WalletConnect.ts'

/**
 * The wallet at the other end of the relay, as it calls itself; undefined for a connector that is the
 * wallet itself.
 */
export function peerOf(kit: Kit, connectorId: string | undefined) {
  if (connectorId !== walletConnectId) return undefined
  return kit.walletConnect?.session()?.peer.metadata
}
