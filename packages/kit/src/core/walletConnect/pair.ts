import { BaseError } from '@gatefold/protocol'
import type { Session } from '@gatefold/sign'

import { getAccount } from '../connection/account.ts'
import { isVisible } from '../platform/device.ts'
import { ConnectError, UserRejectedError } from '../kit/errors.ts'
import { connectionOf } from './granted.ts'
import { ModalClosedError } from '../kit/kitErrors.ts'
import type { ConnectedAccount, Kit } from '../kit/Kit.ts'
import { isOnOffer, pairingExpiry } from './pairing.ts'
import type { Pairing } from './pairing.ts'
import { currentView, isOnScreen } from '../view/view.ts'
import { walletConnectId } from './WalletConnect.ts'
import type { WalletConnect } from './WalletConnect.ts'
import { walletConnectOf } from './walletConnectOf.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'
import { showConnected } from '../view/showConnected.ts'
import { addRecentWallet } from '../wallets/addRecentWallet.ts'

/** A page left open makes new URIs for twenty minutes; then the visitor is asked. */
const renewals = 4

/** Whether a wallet reached through the relay is connected. There is one at a time. */
export function isPaired(kit: Kit): boolean {
  return Object.values(kit.getState().chains).some(({ connections }) =>
    connections.some(({ connectorId }) => connectorId === walletConnectId),
  )
}

/**
 * Offers a session to whichever wallet takes the URI, which is in `state.pairing` within
 * milliseconds. A URI that is still good is offered again, so that going back and forth between
 * wallets changes nothing.
 *
 * @param parameters.again - give the URI up that there is
 * @see spec §4.7; views.md 1.2 “ConnectingWalletConnect”
 */
export function offerPairing(kit: Kit, parameters: { again?: boolean } = {}): void {
  const { pairing } = kit.getState()
  if (!walletConnectOf(kit) || kit.options.manualWCControl || isPaired(kit)) return
  if (!parameters.again && isOnOffer(pairing, Date.now())) return
  pair(kit).catch(() => {}) // told by `state.pairing`
}

/**
 * Asks for a session and connects its accounts, until a wallet answers or the pairing is taken out of
 * `state.pairing`: what closing the modal does, or asking another wallet. The URI is renewed while
 * somebody looks at it.
 *
 * @returns the account of the chain family in use, or of the first the wallet has granted
 * @throws {UserRejectedError} the visitor declined in the wallet
 * @throws {ModalClosedError} the pairing was given up
 * @throws {ConnectError} anything else
 */
export async function pair(kit: Kit): Promise<ConnectedAccount> {
  const { walletConnect } = kit
  if (!walletConnect) throw new ConnectError({ details: 'No relay is configured.' })
  const id = (kit.getState().pairing?.id ?? 0) + 1
  const givenUp = new AbortController()
  const { signal } = givenUp
  const isMine = () => kit.getState().pairing?.id === id
  const update = (change: Partial<Pairing>) => {
    const { pairing } = kit.getState()
    if (pairing?.id === id)
      kit.dispatch({ type: 'pairing.changed', pairing: { ...pairing, ...change } })
  }
  const { view } = kit.getState()
  const fromWallets = view.history.some(({ name }) => name === 'ProfileWallets')

  kit.dispatch({ type: 'attempt.changed', attempt: undefined })
  kit.dispatch({ type: 'pairing.changed', pairing: { id, status: 'starting' } })
  const stops = [
    kit.subscribe(() => {
      if (!isMine()) givenUp.abort(new ModalClosedError())
    }),
    walletConnect.subscribe((event) => {
      if (event.type !== 'relay') return
      update({ offline: event.status === 'offline' })
      if (event.status === 'refused')
        givenUp.abort(new ConnectError({ details: event.reason ?? 'The relay refused this site.' }))
    }),
  ]
  try {
    const session = await untilApproved(kit, walletConnect, { signal, update })
    const account = await connectOrEnd(kit, session, signal)
    for (const stop of stops.splice(0)) stop()
    finish(kit, session, { app: kit.getState().pairing?.app, wallet: walletOf(kit), fromWallets })
    return account
  } catch (cause) {
    const error = cause instanceof BaseError ? cause : new ConnectError({ cause })
    const rejected = error instanceof UserRejectedError
    const expired = error.code === 'sign.expired'
    if (isMine() && !expired)
      kit.track({
        event: rejected ? 'USER_REJECTED' : 'CONNECT_ERROR',
        properties: { message: error.shortMessage },
      })
    update({ status: rejected ? 'rejected' : expired ? 'expired' : 'failed', error })
    throw error
  } finally {
    for (const stop of stops) stop()
    // Nothing listens any more: the URIs that were not used are withdrawn.
    givenUp.abort()
  }
}

/** Makes URIs, the next one whenever one has run out, until a wallet has answered one of them. */
function untilApproved(
  kit: Kit,
  walletConnect: WalletConnect,
  parameters: { signal: AbortSignal; update: (change: Partial<Pairing>) => void },
): Promise<Session> {
  const { signal, update } = parameters
  const cancels: (() => void)[] = []
  return new Promise<Session>((resolve, reject) => {
    let made = 0
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    async function offer(): Promise<void> {
      const number = ++made
      const createdAt = Date.now()
      try {
        const { uri, expiresAt: goodUntil, approval } = await walletConnect.propose({ signal })
        if (signal.aborted) return
        const expiresAt = pairingExpiry({ createdAt, goodUntil })
        update({ status: 'ready', uri, expiresAt })
        cancels.push(kit.later(onExpiry, expiresAt - Date.now()))
        resolve(await approval())
      } catch (error) {
        // That an earlier URI has ended says nothing of the one on screen.
        if (number === made) reject(error)
      }
    }
    function onExpiry(): void {
      if (made <= renewals && isLookedAt(kit)) void offer()
      else update({ status: 'expired' })
    }
    void offer()
  }).finally(() => {
    for (const cancel of cancels) cancel()
  })
}

function isLookedAt(kit: Kit): boolean {
  const { view, pairing } = kit.getState()
  const { name } = currentView(view)
  return (
    isVisible() &&
    isOnScreen(view) &&
    pairing?.status === 'ready' &&
    (name === 'ConnectingWalletConnect' || name === 'ConnectingWalletConnectBasic')
  )
}

/**
 * Connects what a wallet has agreed to. A session that connects nothing is of no use to anybody: it is
 * ended.
 *
 * @param signal - where it is aborted nobody waits any more
 * @throws {ConnectError} `wallet.no_account` where the wallet shared none that the site can use
 */
export async function connectOrEnd(
  kit: Kit,
  session: Session,
  signal?: AbortSignal,
): Promise<ConnectedAccount> {
  try {
    signal?.throwIfAborted()
    await connectSession(kit, session)
    const account = isPaired(kit) && (getAccount(kit.getState()) ?? firstAccount(kit))
    if (account) return account
    throw new ConnectError({ code: 'wallet.no_account', details: 'The wallet showed no account.' })
  } catch (error) {
    await kit.walletConnect?.disconnect()
    throw error
  }
}

/**
 * Hands a session's accounts to the adapters of their chain families. A family that has no adapter
 * is connected by the session alone.
 */
export async function connectSession(kit: Kit, session: Session): Promise<void> {
  const known = kit.getState().networks.map(({ caipNetworkId }) => caipNetworkId)
  const families = new Set(kit.getState().networks.map(({ chainNamespace }) => chainNamespace))
  for (const namespace of families) {
    const connection = connectionOf(session, namespace)
    if (!connection) continue
    const adapter = kit.adapters.get(namespace)
    if (adapter) await adapter.connect({ connectorId: walletConnectId })
    else if (kit.adapters.size === 0)
      kit.dispatch({
        type: 'connection.connected',
        namespace,
        connection,
        current: true,
        known,
      })
  }
}

/** What follows once a session is connected: what is told and remembered, and where the modal goes. */
export function finish(
  kit: Kit,
  session: Session,
  how: { app: Pairing['app']; wallet?: WalletListing | undefined; fromWallets?: boolean },
): void {
  const { app, wallet, fromWallets = false } = how
  const { view } = kit.getState()
  const { name } = session.peer.metadata
  const entry = currentView(view)
  kit.track({
    event: 'CONNECT_SUCCESS',
    properties: { method: app ? 'mobile' : 'qrcode', name, view: entry.name },
  })
  if (wallet) addRecentWallet(kit, wallet)
  kit.dispatch({ type: 'pairing.changed', pairing: undefined })
  // A chain the site does not use has its own page by now.
  if (isOnScreen(view) && entry.name !== 'UnsupportedChain')
    showConnected(kit, { wallet: name, fromWallets })
}

/** The wallet whose page is on screen. */
function walletOf(kit: Kit): WalletListing | undefined {
  const entry = currentView(kit.getState().view)
  return entry.name === 'ConnectingWalletConnect' ? entry.data?.wallet : undefined
}

function firstAccount(kit: Kit): ConnectedAccount | undefined {
  for (const namespace of Object.keys(kit.getState().chains)) {
    const account = getAccount(kit.getState(), namespace as 'eip155')
    if (account) return account
  }
  return undefined
}
