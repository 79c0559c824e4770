import { isConnected } from '../account.ts'
import { alertOfUnauthorized } from '../alertOfUnauthorized.ts'
import type { Kit } from '../Kit.ts'
import { toastOf } from '../toasts.ts'
import { isOnScreen } from '../view.ts'
import type { ViewState } from '../view.ts'
import { walletConnectId } from '../WalletConnect.ts'
import type { WalletConnectEvent } from '../WalletConnect.ts'

/**
 * News of the session that are the core's: that it has ended, and that the relay refuses the site.
 *
 * @param parameters.before - what was on screen when it happened
 */
export function hearWalletConnect(
  kit: Kit,
  parameters: { event: WalletConnectEvent; before: ViewState },
): void {
  const { event, before } = parameters
  if (event.type === 'session' && !event.session)
    endSession(kit, { before, wallet: event.by === 'site' ? undefined : event.wallet })
  if (event.type === 'relay' && event.status === 'refused') {
    const code = alertOfUnauthorized(event.reason ?? '')
    if (code) kit.alert(code)
  }
}

/**
 * A session has ended. Where the wallet ended it and the card was open, the visitor sees why instead
 * of a card that vanishes; a closed card stays closed.
 *
 * @param parameters.before - what was on screen when it ended
 * @param parameters.wallet - what the wallet called itself; undefined where the site ended it
 */
function endSession(kit: Kit, parameters: { before: ViewState; wallet: string | undefined }): void {
  const { before, wallet } = parameters
  // Families with an adapter were told by it.
  for (const namespace of Object.keys(kit.getState().chains) as 'eip155'[])
    if (!kit.adapters.has(namespace))
      kit.dispatch({
        type: 'connection.disconnected',
        namespace,
        connectorId: walletConnectId,
        known: kit.getState().networks.map(({ caipNetworkId }) => caipNetworkId),
      })
  if (!wallet || !isOnScreen(before)) return
  if (!isConnected(kit.getState()) && !before.embedded) void kit.open({ view: 'Connect' })
  kit.toast('info', toastOf('toast.ended', { wallet }))
}
