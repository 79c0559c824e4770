import type { KitInstance } from '../kit/Kit.ts'
import { showToast } from '../notifications/showToast.ts'
import { toastOf } from '../notifications/toasts.ts'
import { unauthorizedAlert } from '../notifications/unauthorizedAlert.ts'
import { isConnectedBy } from './account.ts'
import { attachFamily, attachSession, familiesOf } from './attachSession.ts'
import { finish } from './connect.ts'
import type { Session } from './Session.ts'

// Loaded with the first session, so that it is available when a session changes or ends.

/**
 * Applies a changed grant to the connections. Disconnects families that lost their accounts, and ends a
 * session without any connection left. @see spec §4.1.8
 */
export async function followSession(kit: KitInstance, session: Session): Promise<void> {
  const { connectorId } = session
  const { grants } = session.getState()
  let lost = false
  for (const namespace of familiesOf(kit)) {
    const { chains } = kit.getState()
    if (!isConnectedBy(kit.getState(), connectorId, namespace)) continue
    if (chains[namespace]?.status === 'reconnecting') continue
    if (grants[namespace]?.accounts.length) {
      const active = chains[namespace]?.connectorId === connectorId
      // Adapters update through the session's provider.
      if (kit.adapters.size === 0) await attachFamily(kit, namespace, session, { active })
      continue
    }
    lost = true
    kit.dispatch({ type: 'connection.disconnected', namespace, connectorId })
    kit.adapters.get(namespace)?.detach({ connectorId })
  }
  if (lost && !isConnectedBy(kit.getState(), connectorId))
    await kit.connectors.get(connectorId)?.disconnect()
}

/** Connects a session that a wallet approved for an attempt of an earlier page. */
export async function connectApproved(kit: KitInstance, session: Session): Promise<void> {
  try {
    await attachSession(kit, session)
    finish(kit, session, { isCurrent: true, closesView: true, fromWallets: false })
  } catch (error) {
    // oxlint-disable-next-line no-console -- the visitor sees a disconnected page
    console.warn('Gatefold: the approved session could not be connected.', error)
  }
}

/** Shows a toast for a session that was not ended by the site. */
export function showSessionEnd(kit: KitInstance, connectorId: string): void {
  const session = kit.getState().sessions[connectorId]
  const name = kit.connectors.get(connectorId)?.name ?? connectorId
  const key = session?.end === 'expired' ? 'toast.expired' : 'toast.ended'
  showToast(kit, 'info', toastOf(key, { wallet: session?.peer.name || name }))
}

/** Raises an alert for the site's developer when a connector's server rejects the site. */
export function showRefusal(kit: KitInstance, message: string): void {
  const code = unauthorizedAlert(message)
  if (code) kit.alert(code)
}
