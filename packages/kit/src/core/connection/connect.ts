import { BaseError, limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import {
  AdapterNotFoundError,
  AlreadyConnectedError,
  ConnectError,
  ConnectExpiredError,
  UserRejectedError,
} from '../kit/errors.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { ConnectedAccount, Kit, KitInstance } from '../kit/Kit.ts'
import { ModalClosedError, OptionsError } from '../kit/kitErrors.ts'
import { nextTask } from '../kit/nextTask.ts'
import type { State } from '../kit/state.ts'
import { getNetwork, getSession, isConnectedBy } from './account.ts'
import { isVisible } from '../platform/device.ts'
import { push, reset } from '../view/navigate.ts'
import { viewRule } from '../view/rules.ts'
import { showConnected } from '../view/showConnected.ts'
import { currentView, isOnScreen } from '../view/view.ts'
import { walletOf } from '../view/walletOf.ts'
import type { ViewEntry } from '../view/view.ts'
import { addRecentWallet } from '../wallets/addRecentWallet.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'
import { installedConnector } from '../wallets/installedConnector.ts'
import { attachSession } from './attachSession.ts'
import { isUriUsable } from './attempt.ts'
import type { Attempt } from './attempt.ts'
import { findConnector, servesNamespace } from './Connector.ts'
import { findUniversalConnector } from './findUniversalConnector.ts'
import type { ConnectProgress, Connector } from './Connector.ts'
import type { Session } from './Session.ts'

/**
 * Connects a wallet. The request is sent before this function returns. Closing the modal, going back or
 * choosing another wallet aborts the attempt; a late response from the wallet is ignored.
 *
 * @returns the account that the visitor chose
 * @throws {UserRejectedError} the visitor declined
 * @throws {ModalClosedError} the attempt was aborted
 * @throws {ConnectExpiredError} the request expired
 * @throws {AlreadyConnectedError} the connector's session already serves the family
 * @throws {OptionsError} the connector, its chain family or the family's adapter is unknown
 * @throws {ConnectError} any other failure
 * @example const { address } = await connect(kit, { connectorId: 'io.metamask' })
 */
export async function connect(kit: Kit, parameters: connect.Parameters): Promise<ConnectedAccount> {
  const instance = instanceOf(kit)
  const { connectorId, namespace } = parameters
  const { connectors } = instance.getState()
  const connector = findConnector(connectors, connectorId, namespace)
  const family = namespace ?? connector?.chain
  if (!family)
    throw new OptionsError('connectExternal: namespace not found', {
      code: 'connect.namespace_not_found',
      metaMessages: [`No connector with the id ${connectorId} is known.`],
    })
  if (!instance.adapters.has(family) && !(connector?.chains && instance.adapters.size === 0))
    throw new OptionsError('connectExternal: adapter not found', {
      code: 'connect.adapter_not_found',
      cause: new AdapterNotFoundError(family),
    })
  if (!connector)
    throw new OptionsError('connectExternal: connector not found', {
      code: 'connect.connector_not_found',
      metaMessages: [`No connector with the id ${connectorId} is known.`],
    })
  const settle = startAttempt(instance, connector, namespace)
  await nextTask()
  return settle()
}

export declare namespace connect {
  /** Selects the wallet. */
  type Parameters = {
    /** Id of one of `kit.getState().connectors`. */
    connectorId: string
    /** The chain family to connect; by default any that the connector supports. */
    namespace?: ChainNamespace.ChainNamespace | undefined
  }
}

let lastAttemptId = 0

/**
 * Starts an attempt and handles its abort signal, silence timer, progress and outcome. If the connector
 * has its own view, puts the attempt into the state first, so that the view can show it. Otherwise sends
 * the request before any state change, because rendering first would delay the request by a frame.
 *
 * @returns a function that puts the attempt into the state and resolves with its outcome; `onConnected`
 * is called in the task that removes the attempt, so that no view is rendered in between
 */
function startAttempt(
  kit: KitInstance,
  connector: Connector,
  namespace?: ChainNamespace.ChainNamespace,
): (onConnected?: () => void) => Promise<ConnectedAccount> {
  const { id: connectorId, chains, view } = connector
  const family = namespace ?? (chains ? undefined : connector.chain)
  const before = kit.getState()
  if (
    chains &&
    family &&
    isConnectedBy(before, connectorId, family) &&
    getSession(before, connectorId)
  )
    throw new AlreadyConnectedError(connector.name)
  const network =
    kit.options.enableNetworkSwitch === false || !family ? undefined : getNetwork(before, family)
  const abort = new AbortController()
  const { signal } = abort
  const fromWallets = before.view.history.some(({ name }) => name === 'ProfileWallets')
  const id = (lastAttemptId += 1)
  let hasShown = false
  let progress: ConnectProgress | undefined
  let stopWatching = () => {}

  const isCurrent = () => kit.getState().attempt?.id === id
  const update = (change: Partial<Attempt>) => {
    const { attempt } = kit.getState()
    if (attempt && isCurrent())
      kit.dispatch({ type: 'attempt.changed', attempt: { ...attempt, ...change } })
  }
  const show = () => {
    if (hasShown) return
    hasShown = true
    const { attempt } = kit.getState()
    // A later attempt, which was started before this one was shown, stays.
    if (attempt && attempt.id > id) return abort.abort(new ModalClosedError())
    const isRetry = attempt?.status === 'failed'
    kit.dispatch({
      type: 'attempt.changed',
      attempt: { id, connectorId, namespace: family, status: 'waiting', progress, isRetry },
    })
    if (family) kit.dispatch({ type: 'connection.connecting', namespace: family, connectorId })
    stopWatching = kit.subscribe(() => {
      if (!isCurrent()) abort.abort(new ModalClosedError())
    })
  }

  if (view) show()
  const requested = connector
    .connect({
      namespace: family,
      network,
      signal,
      onProgress(next) {
        if (!progress)
          for (const adapter of kit.adapters.values())
            adapter.preload({ connectorId }).catch(() => {})
        progress = next
        update({ progress, status: next.expired ? 'expired' : 'waiting' })
      },
      isShown: () => isVisible() && isAttemptShown(kit.getState()),
    })
    .then(async (session) => ({
      session,
      account: await attachSession(kit, session, { namespace: family, signal }),
    }))
  requested.catch(() => {}) // reported by `settle`

  return async (onConnected) => {
    show()
    const cancelSilence = kit.later(() => {
      if (!progress) update({ status: 'silent' })
    }, limits.walletSilenceMs)
    try {
      const { session, account } = await requested
      if (family) kit.dispatch({ type: 'connection.settled', namespace: family })
      completeAttempt(kit, session, {
        isCurrent: isCurrent(),
        shouldCloseView: Boolean(view),
        fromWallets,
      })
      onConnected?.()
      return account
    } catch (cause) {
      if (family) kit.dispatch({ type: 'connection.settled', namespace: family })
      const error = cause instanceof BaseError ? cause : new ConnectError({ cause })
      const rejected = error instanceof UserRejectedError
      const expired = error instanceof ConnectExpiredError
      if (rejected || (!expired && !signal.aborted))
        kit.track({
          event: rejected ? 'USER_REJECTED' : 'CONNECT_ERROR',
          properties: { message: error.shortMessage },
        })
      update({ status: rejected ? 'rejected' : expired ? 'expired' : 'failed', error })
      throw error
    } finally {
      cancelSilence()
      stopWatching()
      // The connector may still be creating URIs.
      abort.abort(new ModalClosedError())
    }
  }
}

/**
 * Completes an attempt: tracks the success, stores the recent wallet, and closes or changes the view.
 */
export function completeAttempt(
  kit: KitInstance,
  session: Session,
  parameters: { isCurrent: boolean; shouldCloseView: boolean; fromWallets: boolean },
): void {
  const { method, peer } = session.getState()
  const { view } = kit.getState()
  const entry = currentView(view)
  const wallet = viewRule(entry.name).drawsAttempt ? walletOf(entry) : undefined
  kit.track({
    event: 'CONNECT_SUCCESS',
    properties: { method, name: peer.name, view: entry.name },
  })
  if (wallet && parameters.shouldCloseView) addRecentWallet(kit, wallet)
  if (parameters.isCurrent) kit.dispatch({ type: 'attempt.changed', attempt: undefined })
  // If the wallet is on an unsupported chain, the view for that is already open and stays open.
  if (parameters.shouldCloseView && isOnScreen(view) && entry.name !== 'UnsupportedChain')
    showConnected(kit, { wallet: peer.name, fromWallets: parameters.fromWallets })
}

/** Whether the view on screen shows the attempt. */
function isAttemptShown({ view }: State): boolean {
  return isOnScreen(view) && viewRule(currentView(view).name).drawsAttempt === true
}

/**
 * Requests a URI for wallets that are not installed and puts it into
 * `state.attempt`. A usable URI is kept, so that it does not change while the
 * visitor views several wallets.
 *
 * @param parameters.renew - whether to replace a usable URI
 * @see spec §4.7; docs/views.md
 */
export function requestUri(kit: KitInstance, parameters: { renew?: boolean } = {}): void {
  const { attempt, connectors } = kit.getState()
  const connector = findUniversalConnector(connectors)
  if (!connector || kit.options.manualWCControl) return
  if (isConnectedBy(kit.getState(), connector.id)) return
  const isSameConnector = attempt?.connectorId === connector.id
  if (!parameters.renew && isSameConnector && isUriUsable(attempt, Date.now())) return
  connect(kit, { connectorId: connector.id }).catch(() => {}) // reported by `state.attempt`
}

/**
 * Handles a click on a connector. Sends the request to an installed wallet immediately, and shows a
 * view that closes when the wallet approves. If the connector has its own view, opens that instead. The
 * outcome is in `state.attempt`. If the wallet is already connected, only opens the view, because only
 * the wallet can change its account.
 *
 * @see spec §4.1.5; docs/views.md
 */
export async function connectWallet(
  kit: KitInstance,
  parameters: {
    connector: Connector
    wallet?: WalletListing | undefined
    /** Whether the view on screen already shows the attempt. */
    inPlace?: boolean
  },
): Promise<void> {
  const { connector, wallet, inPlace } = parameters
  if (connector.universal) return showUniversalConnector(kit, wallet)
  const namespace = familyOf(kit.getState(), connector)
  const entry = connector.view
    ? ({ name: connector.view } as const)
    : ({
        name: 'ConnectingExternal' as const,
        data: { connectorId: connector.id, namespace, wallet },
      } as const)
  const isLinked = () => isConnectedBy(kit.getState(), connector.id, namespace)
  const isShown = () => {
    const top = currentView(kit.getState().view)
    return (
      top.name === entry.name &&
      (top.name !== 'ConnectingExternal' || top.data.connectorId === connector.id)
    )
  }
  if (isLinked()) return push(kit, entry as never)
  const fromWallets = kit.getState().view.history.some(({ name }) => name === 'ProfileWallets')
  const settle = startAttempt(kit, connector, namespace)
  await nextTask()
  kit.track({
    event: 'SELECT_WALLET',
    properties: { name: connector.name, platform: 'browser', view: 'Connect' },
  })
  // A wallet that trusts the site has already approved: no view is needed.
  if (!isLinked() && !inPlace && !isShown()) push(kit, entry as never)
  const shown = currentView(kit.getState().view)
  const closeView = () => {
    const { view } = kit.getState()
    const top = currentView(view)
    // The visitor may have left, or the view for an unsupported chain may have opened.
    if (!isOnScreen(view) || top.name === 'UnsupportedChain') return
    if (top === shown) showConnected(kit, { wallet: connector.name, fromWallets })
    // The wallet is already showing another request. Going back from its view
    // must not lead here.
    else if (view.history.includes(shown)) reset(kit, top)
  }
  await settle(closeView).catch(() => {}) // reported by `state.attempt`
}

/** The family to connect on a click: the visitor's choice if the connector serves it. */
function familyOf(state: State, connector: Connector): ChainNamespace.ChainNamespace {
  const { namespace } = state.view
  return namespace && servesNamespace(connector, namespace) ? namespace : connector.chain
}

/** Shows how to connect a wallet that is not installed, or a QR code for any wallet. */
export function showUniversalConnector(kit: KitInstance, wallet?: WalletListing): void {
  const { view = 'ConnectingWalletConnect' } =
    findUniversalConnector(kit.getState().connectors) ?? {}
  push(kit, { name: view, data: { wallet } } as ViewEntry)
  requestUri(kit)
}

/**
 * Handles a click on a directory wallet. Connects it if it is installed. Otherwise shows how to connect
 * it by URI or, if no connector creates URIs, how to get it.
 *
 * @see spec §9.9.3; docs/views.md
 */
export function selectWallet(kit: KitInstance, wallet: WalletListing): void {
  const state = kit.getState()
  const connector = installedConnector(state, wallet)
  if (connector) void connectWallet(kit, { connector, wallet })
  else if (findUniversalConnector(state.connectors) || kit.options.manualWCControl)
    showUniversalConnector(kit, wallet)
  else push(kit, { name: 'Downloads', data: { wallet } })
}
