import { BaseError, limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import { getAccount, getNetwork } from './account.ts'
import type { Connector } from './Connector.ts'
import { isSameWallet, uniqueConnectors } from '../wallets/walletRows.ts'
import { AdapterNotFoundError, ConnectError, UserRejectedError } from '../kit/errors.ts'
import { ModalClosedError, OptionsError } from '../kit/kitErrors.ts'
import type { ConnectedAccount, Kit } from '../kit/Kit.ts'
import type { State } from '../kit/state.ts'
import { currentView, isOnScreen } from '../view/view.ts'
import { walletConnectId } from '../walletConnect/WalletConnect.ts'
import { walletConnectOf } from '../walletConnect/walletConnectOf.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'
import { nextTask } from '../kit/nextTask.ts'
import { showConnected } from '../view/showConnected.ts'
import { push } from '../view/navigate.ts'

/**
 * Asks a wallet to connect. The request leaves before this function returns.
 * Closing the modal, going back or choosing another wallet gives the attempt up: an answer that comes
 * later changes nothing.
 *
 * @returns the account the visitor chose
 * @throws {UserRejectedError} the visitor declined
 * @throws {ModalClosedError} the attempt was given up
 * @throws {ConnectError} anything else; `cause` says what
 * @see spec §4.1.5, §5.6.5, §5.6.7
 */
export async function connect(kit: Kit, parameters: connect.Parameters): Promise<ConnectedAccount> {
  if (isToPair(kit, parameters.connectorId))
    return (await import('../walletConnect/pair.ts')).pair(kit)
  const finish = ask(kit, parameters)
  await nextTask()
  return finish()
}

/** Whether a connector is reached by a URI that has to be made first. */
function isToPair(kit: Kit, connectorId: string): boolean {
  const walletConnect = walletConnectOf(kit)
  return connectorId === walletConnectId && Boolean(walletConnect && !walletConnect.session())
}

/**
 * Sends the request to the wallet and nothing else: drawing what follows from it would hold it back by
 * a frame. The function returned tells the page, and waits.
 */
function ask(kit: Kit, parameters: connect.Parameters): () => Promise<ConnectedAccount> {
  const { connectorId } = parameters
  const connector = kit.getState().connectors.find(({ id }) => id === connectorId)
  const namespace = parameters.namespace ?? connector?.chain
  if (!namespace)
    throw new OptionsError('connectExternal: namespace not found', {
      code: 'connect.namespace_not_found',
      metaMessages: [`No connector with the id ${connectorId} is known.`],
    })
  const adapter = kit.adapters.get(namespace)
  if (!adapter)
    throw new OptionsError('connectExternal: adapter not found', {
      code: 'connect.adapter_not_found',
      cause: new AdapterNotFoundError(namespace),
    })
  const chain = kit.getState().chains[namespace]
  const network =
    kit.options.enableNetworkSwitch === false || !chain?.networkId
      ? undefined
      : getNetwork(kit.getState(), namespace)
  const givenUp = new AbortController()
  const asking = adapter.connect({ connectorId, network, signal: givenUp.signal })
  asking.catch(() => {}) // told by what is returned

  return async () => {
    const attempt = { namespace, connectorId }
    const isMine = () => {
      const { attempt: now } = kit.getState()
      return now?.connectorId === connectorId && now.namespace === namespace
    }
    kit.dispatch({ type: 'attempt.changed', attempt: { ...attempt, status: 'waiting' } })
    kit.dispatch({ type: 'pairing.changed', pairing: undefined })
    kit.dispatch({ type: 'connection.connecting', namespace, connectorId })
    const stopWatching = kit.subscribe(() => {
      if (!isMine()) givenUp.abort(new ModalClosedError())
    })
    const cancelSilence = kit.later(() => {
      if (isMine())
        kit.dispatch({ type: 'attempt.changed', attempt: { ...attempt, status: 'silent' } })
    }, limits.walletSilenceMs)
    try {
      await asking
      kit.dispatch({ type: 'connection.settled', namespace })
      if (isMine()) kit.dispatch({ type: 'attempt.changed', attempt: undefined })
      kit.track({
        event: 'CONNECT_SUCCESS',
        properties: {
          method: 'browser',
          name: connector?.name ?? connectorId,
          view: currentView(kit.getState().view).name,
        },
      })
      const account = getAccount(kit.getState(), namespace)
      if (!account) throw new ConnectError({ details: 'The wallet showed no account.' })
      return account
    } catch (cause) {
      kit.dispatch({ type: 'connection.settled', namespace })
      const error = cause instanceof BaseError ? cause : new ConnectError({ cause })
      const rejected = error instanceof UserRejectedError
      const properties = { message: error.shortMessage }
      if (rejected) kit.track({ event: 'USER_REJECTED', properties })
      else if (!givenUp.signal.aborted) kit.track({ event: 'CONNECT_ERROR', properties })
      if (isMine())
        kit.dispatch({
          type: 'attempt.changed',
          attempt: { ...attempt, status: rejected ? 'rejected' : 'failed', error },
        })
      throw error
    } finally {
      cancelSilence()
      stopWatching()
    }
  }
}

export declare namespace connect {
  type Parameters = { connectorId: string; namespace?: ChainNamespace.ChainNamespace | undefined }
}

/**
 * What a tap on a connector does: an installed wallet is asked at once, its page shown and left when it
 * agrees; the one for wallets behind the relay shows its code. How it goes is in `state.attempt`. A
 * wallet that is connected already is not asked again: only it can change its account, and its page
 * says so.
 *
 * @see spec §4.1.5; views.md “ConnectingExternal”
 */
export async function connectWallet(
  kit: Kit,
  parameters: {
    connector: Connector
    wallet?: WalletListing | undefined
    /** The view on screen shows how it goes. */
    inPlace?: boolean
  },
): Promise<void> {
  const { connector, wallet, inPlace } = parameters
  if (connector.type === 'WALLET_CONNECT') return showPairing(kit, wallet)
  const entry = {
    name: 'ConnectingExternal' as const,
    data: { connectorId: connector.id, namespace: connector.chain, wallet },
  }
  const isLinked = () =>
    kit
      .getState()
      .chains[connector.chain]?.connections.some(({ connectorId }) => connectorId === connector.id)
  if (isLinked()) return push(kit, entry)
  const fromWallets = kit.getState().view.history.some(({ name }) => name === 'ProfileWallets')
  const finish = ask(kit, { connectorId: connector.id, namespace: connector.chain })
  await nextTask()
  kit.track({
    event: 'SELECT_WALLET',
    properties: { name: connector.name, platform: 'browser', view: 'Connect' },
  })
  // A wallet that trusts the site already has answered by now: there is nothing to wait for.
  if (!isLinked() && !inPlace && currentView(kit.getState().view).name !== 'ConnectingExternal')
    push(kit, entry)
  const shown = currentView(kit.getState().view)
  try {
    await finish()
  } catch {
    // `connect` has put it into `state.attempt`, where the view shows it.
    return
  }
  const { view } = kit.getState()
  // The visitor may have left, or an unsupported chain may have taken over.
  if (!isOnScreen(view) || currentView(view) !== shown) return
  showConnected(kit, { wallet: connector.name, fromWallets })
}

/**
 * Shows the ways to a wallet that is reached through the relay, or a code for any. The URI is made
 * while the view's code is on its way.
 */
export function showPairing(kit: Kit, wallet?: WalletListing): void {
  push(kit, { name: 'ConnectingWalletConnect', data: { wallet } })
  // The view tries again, should this not load.
  import('../walletConnect/pair.ts').then(({ offerPairing }) => offerPairing(kit)).catch(() => {})
}

/** What a wallet of the directory is asked by where it is installed, for the family that is wanted. */
export function connectorOf(state: State, wallet: WalletListing): Connector | undefined {
  const { connectors, view } = state
  return uniqueConnectors(connectors).find(
    (candidate) =>
      isSameWallet(wallet, candidate) && (!view.namespace || candidate.chain === view.namespace),
  )
}

/**
 * What a tap on a wallet of the directory does: asks it where it is installed, else shows the ways to
 * reach it, or, where no relay is configured, how to get it.
 *
 * @see spec §9.9.3; views.md 1.2 “Wallet list”
 */
export function selectWallet(kit: Kit, wallet: WalletListing): void {
  const connector = connectorOf(kit.getState(), wallet)
  if (connector) void connectWallet(kit, { connector, wallet })
  else if (walletConnectOf(kit) || kit.options.manualWCControl) showPairing(kit, wallet)
  else push(kit, { name: 'Downloads', data: { wallet } })
}
