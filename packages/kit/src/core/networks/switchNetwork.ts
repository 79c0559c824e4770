import { BaseError, limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import { getAccount, getNetwork, isConnected } from '../connection/account.ts'
import { entryToSwitch } from './entryToSwitch.ts'
import { UserRejectedError } from '../kit/errors.ts'
import { ChainNotSupportedError, NetworkNotFoundError } from '../kit/requestErrors.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit, KitInstance } from '../kit/Kit.ts'
import type { Network } from './Network.ts'
import { currentConnection } from '../connection/chainState.ts'
import { findConnector } from '../connection/Connector.ts'
import type { State, Switching } from '../kit/state.ts'
import { currentView } from '../view/view.ts'
import type { ViewEntry, ViewName } from '../view/view.ts'
import { leaveNetworkView, push, reset } from '../view/navigate.ts'

/**
 * Changes the active network: requests the switch from the wallet connected on that chain family or,
 * without one, changes the network that the site reads from. `state.switching` has the wallet's pending
 * request, or the failure of the last one.
 *
 * @throws {NetworkNotFoundError} the network is not configured; an alert is raised too
 * @throws {UserRejectedError} the visitor declined
 * @throws {ChainNotSupportedError} the wallet neither switches to the chain nor adds it
 * @example await switchNetwork(kit, { network: { caipNetworkId: 'eip155:8453' } })
 */
export async function switchNetwork(
  kit: Kit,
  parameters: {
    /** One of the configured networks. */
    network: Pick<Network, 'caipNetworkId'>
  },
): Promise<void> {
  const instance = instanceOf(kit)
  const { caipNetworkId } = parameters.network
  const state = instance.getState()
  const network = state.networks.find((candidate) => candidate.caipNetworkId === caipNetworkId)
  if (!network) {
    instance.alert('SWITCH_NETWORK_NOT_FOUND', { networkId: caipNetworkId })
    throw new NetworkNotFoundError({ networkId: caipNetworkId })
  }
  const namespace = network.chainNamespace
  const adapter = instance.adapters.get(namespace)
  const connected = Boolean(getAccount(state, namespace))
  const select = () => {
    instance.dispatch({ type: 'connection.networkSelected', namespace, networkId: caipNetworkId })
    instance.dispatch({ type: 'namespace.activated', namespace })
  }
  instance.track({ event: 'SWITCH_NETWORK', properties: { network: caipNetworkId } })
  if (!connected || !adapter) {
    select()
    closeView(instance, network)
    return
  }
  let current: Switching | undefined
  const isCurrent = () => instance.getState().switching === current
  const report = (status: Switching['status'], error?: BaseError) => {
    current = { networkId: caipNetworkId, status, error }
    instance.dispatch({ type: 'switching.changed', switching: current })
  }
  report('waiting')
  const cancelSilence = instance.later(
    () => isCurrent() && report('silent'),
    limits.walletSilenceMs,
  )
  try {
    await adapter.switchNetwork({ network })
    if (isCurrent()) instance.dispatch({ type: 'switching.changed', switching: undefined })
    select()
    closeView(instance, network)
  } catch (cause) {
    const error = cause instanceof BaseError ? cause : new ChainNotSupportedError({ cause })
    // The request is no longer current if a newer one has replaced it, or if
    // the visitor has left the view.
    if (isCurrent()) report(error instanceof UserRejectedError ? 'rejected' : 'failed', error)
    throw error
  } finally {
    cancelSilence()
  }
}

/** Closes the SwitchNetwork view. Needed because no effect closes it if the network was already active. */
function closeView(kit: KitInstance, network: Network): void {
  const entry = currentView(kit.getState().view)
  if (entry.name !== 'SwitchNetwork') return
  if (entry.data.network.caipNetworkId === network.caipNetworkId) leaveNetworkView(kit)
}

/**
 * Handles a click on a network: shows the matching view, or switches immediately if no wallet is
 * connected.
 *
 * @see spec §2.8; docs/views.md#switching-rules
 */
export function selectNetwork(
  kit: KitInstance,
  parameters: { network: Network; ignoreConfirmation?: boolean | undefined },
): void {
  const { network, ignoreConfirmation = false } = parameters
  const state = kit.getState()
  const unsupported = Boolean(state.chains[state.namespace]?.unsupportedNetworkId)
  const step = entryToSwitch({
    network,
    current: unsupported ? undefined : getNetwork(state),
    connected: isConnected(state),
    connectedThere: Boolean(getAccount(state, network.chainNamespace)),
    authActive: isEmbedded(state, network.chainNamespace),
    ignoreConfirmation,
  })
  if (!step) return
  if (!isConnected(state)) {
    void switchNetwork(kit, { network })
    reset(kit, { name: 'Connect' })
    return
  }
  if (step.replace) kit.dispatch({ type: 'view.replaced', entry: step.entry })
  else push(kit, step.entry)
  // Requested in the same task as the click; the view then only shows `state.switching`.
  if (step.entry.name === 'SwitchNetwork') switchNetwork(kit, { network }).catch(() => {})
}

/** Whether an email or social wallet is active and serves a family. @see spec §2.8.1 */
function isEmbedded(state: State, namespace: ChainNamespace.ChainNamespace): boolean {
  const id = currentConnection(state.chains[state.namespace])?.connectorId
  return findConnector(state.connectors, id, namespace)?.type === 'AUTH'
}

/**
 * Activates another chain family and lists its wallets; wallets of the previous family stay connected.
 *
 * @see spec §2.8.2
 */
export function switchActiveChain(
  kit: KitInstance,
  parameters: { network: Network; redirectTo?: ViewName | undefined },
): void {
  const { network, redirectTo = 'Connect' } = parameters
  // No wallet of that family is connected, so this is synchronous.
  void switchNetwork(kit, { network })
  reset(kit, { name: redirectTo } as ViewEntry, network.chainNamespace)
}
