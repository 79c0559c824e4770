import { limits } from '@gatefold/protocol'

import type { KitInstance, OpenParameters } from '../kit/Kit.ts'
import { showToast } from '../notifications/showToast.ts'
import { toastOf } from '../notifications/toasts.ts'
import { alertUnauthorized } from '../notifications/unauthorizedAlert.ts'
import { isConnectedBy } from './account.ts'
import { goBack, push } from '../view/navigate.ts'
import { currentView, isOnScreen } from '../view/view.ts'
import type { ViewEntry, ViewName } from '../view/view.ts'
import { attachFamily, attachSession, familiesOf } from './attachSession.ts'
import { completeAttempt } from './connect.ts'
import type { AlertEvent } from '../notifications/alerts.ts'
import type { Session, SessionEvent } from './Session.ts'

// This module is loaded with the first session, so that it is ready when a session changes or ends.

/**
 * The effects of a session event, once the event is in the store. The end of a
 * session is shown only if the modal was open.
 */
export function followEvent(
  kit: KitInstance,
  event: Exclude<SessionEvent, AlertEvent>,
): Promise<void> | void {
  switch (event.type) {
    case 'changed':
      return followSession(kit, event.session)
    case 'approved':
      return connectApproved(kit, event.session)
    case 'ended':
      return showSessionEnd(kit, event.connectorId)
    case 'blocked':
      return showBlocked(kit, event.method)
    case 'refused':
      return alertUnauthorized(kit, event.message, { otherwise: 'RELAY_REFUSED' })
  }
}

/**
 * Updates the connections after the wallet changed the session's accounts.
 * Disconnects chain families that no longer have accounts, and ends the session
 * if no connection remains. @see spec §4.1.8
 */
async function followSession(kit: KitInstance, session: Session): Promise<void> {
  const { connectorId } = session
  const { grants } = session.getState()
  let hasLostFamily = false
  for (const namespace of familiesOf(kit)) {
    const { chains } = kit.getState()
    if (!isConnectedBy(kit.getState(), connectorId, namespace)) continue
    if (chains[namespace]?.status === 'reconnecting') continue
    if (grants[namespace]?.accounts.length) {
      // Adapters update through the session's provider. The active connection stays active.
      if (kit.adapters.size === 0) await attachFamily(kit, namespace, session, { active: false })
      continue
    }
    hasLostFamily = true
    kit.dispatch({ type: 'connection.disconnected', namespace, connectorId })
    kit.adapters.get(namespace)?.detach({ connectorId })
  }
  if (hasLostFamily && !isConnectedBy(kit.getState(), connectorId))
    await kit.connectors.get(connectorId)?.disconnect()
}

/** Connects a session that the wallet approved for an attempt started before the page was reloaded. */
async function connectApproved(kit: KitInstance, session: Session): Promise<void> {
  try {
    await attachSession(kit, session)
    completeAttempt(kit, session, { isCurrent: true, shouldCloseView: true, fromWallets: false })
  } catch (error) {
    // oxlint-disable-next-line no-console -- the visitor sees a disconnected page
    console.warn('Gatefold: the approved session could not be connected.', error)
  }
}

/** Shows a toast when the wallet ends a session or the session expires. */
export function showSessionEnd(kit: KitInstance, connectorId: string): void {
  const session = kit.getState().sessions[connectorId]
  const name = kit.connectors.get(connectorId)?.name ?? connectorId
  const key = session?.end === 'expired' ? 'toast.expired' : 'toast.ended'
  showToast(kit, 'info', toastOf(key, { wallet: session?.peer.name || name }))
}

/**
 * Shows a view in which the visitor answers a request of the session.
 *
 * @param parameters.onDismiss - called once if the visitor closes the view
 * @returns a function that closes the view
 * @see spec §4.14.1–2
 */
export function showPrompt(
  kit: KitInstance,
  parameters: { view: ViewName; data?: ViewEntry['data']; onDismiss: () => void },
): () => void {
  const { view: name, data } = parameters
  const entry = { name, ...(data && { data }) } as ViewEntry
  if (isOnScreen(kit.getState().view)) push(kit, entry)
  else void kit.open({ view: name, data } as OpenParameters)
  const shown = currentView(kit.getState().view)
  const stop = kit.subscribe(() => {
    const { view } = kit.getState()
    if (view.open && view.history.includes(shown)) return
    stop()
    parameters.onDismiss()
  })
  return () => {
    stop()
    if (currentView(kit.getState().view) === shown) goBack(kit)
  }
}

/**
 * Shows that the site requested a method that the wallet does not serve, and logs the method.
 *
 * @see spec §4.14.1, §6.3.2, §9.6.3
 */
function showBlocked(kit: KitInstance, method: string): void {
  if (!isOnScreen(kit.getState().view)) void kit.open()
  // oxlint-disable-next-line no-console -- the message is for the site's developer
  console.error(`Gatefold: Requested RPC call is not allowed: ${method}`)
  kit.later(() => showToast(kit, 'error', toastOf('toast.notAllowed')), limits.messageDelayMs)
}
