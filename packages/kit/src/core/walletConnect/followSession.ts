import { isConnected } from '../connection/account.ts'
import { unauthorizedAlert } from '../notifications/unauthorizedAlert.ts'
import { connectionOf } from './granted.ts'
import type { Kit } from '../kit/Kit.ts'
import { toastOf } from '../notifications/toasts.ts'
import { isOnScreen } from '../view/view.ts'
import type { ViewState } from '../view/view.ts'
import { walletConnectId } from './WalletConnect.ts'
import type { WalletConnectEvent } from './WalletConnect.ts'
import { connectOrEnd, finish, isPaired } from './pair.ts'

type SessionEvent = Extract<WalletConnectEvent, { type: 'session' }>

/**
 * News of the session that are the core's: that it has ended, that it came of what an earlier page
 * offered, that the relay refuses the site, and, where there are no adapters, that the accounts are
 * others.
 *
 * @param parameters.before - what was on screen when it happened
 */
export async function hearWalletConnect(
  kit: Kit,
  parameters: { event: WalletConnectEvent; before: ViewState },
): Promise<void> {
  const { event, before } = parameters
  // Adapters hear of it in the same breath, after the core; the page is drawn later than this.
  await Promise.resolve()
  if (event.type === 'session' && !event.session) endSession(kit, before, event)
  else if (event.type === 'session' && event.late) await connectLate(kit, event.late)
  else followSession(kit, event)
  if (event.type === 'relay' && event.status === 'refused') {
    const code = unauthorizedAlert(event.reason ?? '')
    if (code) kit.alert(code)
  }
}

/**
 * A session has ended. Where the site did not end it and the card was open, the visitor sees why
 * instead of a card that vanishes; a closed card stays closed.
 *
 * @param before - what was on screen when it ended
 */
function endSession(kit: Kit, before: ViewState, { by, wallet }: SessionEvent): void {
  // Families with an adapter were told by it.
  for (const namespace of Object.keys(kit.getState().chains) as 'eip155'[])
    if (!kit.adapters.has(namespace))
      kit.dispatch({
        type: 'connection.disconnected',
        namespace,
        connectorId: walletConnectId,
        known: kit.getState().networks.map(({ caipNetworkId }) => caipNetworkId),
      })
  if (by === 'site' || !isOnScreen(before)) return
  if (!isConnected(kit.getState()) && !before.embedded) void kit.open({ view: 'Connect' })
  const key = by === 'expiry' ? 'toast.expired' : 'toast.ended'
  kit.toast('info', toastOf(key, { wallet: wallet || 'WalletConnect' }))
}

/** The wallet agreed while the page was away: as if it had been waited for. */
async function connectLate(kit: Kit, late: NonNullable<SessionEvent['late']>): Promise<void> {
  const session = kit.walletConnect?.session()
  if (!session) return
  try {
    await connectOrEnd(kit, session)
    finish(kit, session, { app: late.app })
  } catch (error) {
    // oxlint-disable-next-line no-console -- the visitor just sees a disconnected page
    console.warn('Gatefold: the session could not be connected.', error)
  }
}

/** Without an adapter nobody else hears of other accounts. @see spec §4.1.8 */
function followSession(kit: Kit, event: WalletConnectEvent): void {
  const session = kit.walletConnect?.session()
  if (!session || kit.adapters.size > 0) return
  const named =
    event.type === 'event' && event.name === 'accountsChanged' && Array.isArray(event.data)
      ? event.data.map((id) => String(id).split(':').at(-1)?.toLowerCase() ?? '')
      : undefined
  if (!named && event.type !== 'session') return
  const { chains, networks } = kit.getState()
  const known = networks.map(({ caipNetworkId }) => caipNetworkId)
  let hasLetGo = false
  for (const [key, { connections, connectorId }] of Object.entries(chains)) {
    const namespace = key as 'eip155'
    if (event.type === 'event' && !event.chainId.startsWith(`${namespace}:`)) continue
    const before = connections.find((connection) => connection.connectorId === walletConnectId)
    if (!before) continue
    const { caipNetworkId } = before
    const connection =
      named?.length === 0 ? undefined : connectionOf(session, namespace, { caipNetworkId, named })
    if (connection)
      kit.dispatch({
        type: 'connection.connected',
        namespace,
        connection,
        current: connectorId === walletConnectId,
        known,
      })
    else {
      hasLetGo = true
      kit.dispatch({
        type: 'connection.accountsChanged',
        namespace,
        connectorId: walletConnectId,
        accounts: [],
      })
    }
  }
  // A session that connects nothing any more is of no use to anybody.
  if (hasLetGo && !isPaired(kit)) void kit.walletConnect?.disconnect()
}
