import { getAccount, getNetwork, isConnected, isConnectedBy } from '../connection/account.ts'
import type { KitInstance } from './Kit.ts'
import type { State } from './state.ts'
import type { PersistedState, StoredConnection } from '../storage/storage.ts'
import { afterDisconnect, afterNetworkChange, currentView, isOnScreen } from '../view/view.ts'
import { leaveNetworkView } from '../view/goBack.ts'

/**
 * Effects of a state change: persistence, events, and view changes. Called after every transition,
 * but acts only if the connections or the active chain family changed.
 */
export function applyEffects(kit: KitInstance, before: State, after: State): void {
  if (before.chains !== after.chains || before.namespace !== after.namespace) {
    followConnections(kit, before, after)
    persist(kit, kit.getState())
  }
}

function followConnections(kit: KitInstance, before: State, after: State): void {
  for (const namespace of kit.options.namespaces) {
    const old = before.chains[namespace]
    const chain = after.chains[namespace]
    if (!old || !chain || old === chain) continue

    if (chain.networkId !== old.networkId) {
      const network = after.networks.find(({ caipNetworkId }) => caipNetworkId === chain.networkId)
      if (network) kit.adapters.get(namespace)?.networkSelected?.(network)
    }

    // A newly active wallet makes its family the active one, unless it only replaces one that has
    // disconnected. @see spec §4.1.5, §4.1.7
    if (
      chain.connectorId &&
      chain.connectorId !== old.connectorId &&
      chain.status === 'connected' &&
      (!old.connectorId || isConnectedBy(after, old.connectorId, namespace))
    )
      kit.dispatch({ type: 'namespace.activated', namespace })

    // The last connection of a family ended. @see spec §4.1.8, §7.7.3
    if (
      old.connections.length > 0 &&
      chain.connections.length === 0 &&
      old.status === 'connected'
    ) {
      kit.track({ event: 'DISCONNECT_SUCCESS', properties: { namespace } })
      const other = kit.options.namespaces.find(
        (candidate) => (kit.getState().chains[candidate]?.connections.length ?? 0) > 0,
      )
      if (other) kit.dispatch({ type: 'namespace.activated', namespace: other })
    }

    if (chain.unsupportedNetworkId && chain.unsupportedNetworkId !== old.unsupportedNetworkId)
      showUnsupportedChain(kit)
  }

  const connected = isConnected(after)
  if (isConnected(before) !== connected) {
    // If the session was ended by the wallet, expired or failed, an open modal shows why instead of closing.
    const hasReason = Object.values(after.sessions).some(
      ({ connectorId, end }) =>
        (end === 'user' || end === 'expired' || end === 'failed') &&
        !before.sessions[connectorId]?.end,
    )
    if (connected || afterDisconnect(after.view) === 'stay') {
      // The view stays.
    } else if (hasReason && isOnScreen(before.view))
      kit.dispatch({ type: 'view.reset', entry: { name: 'Connect' } })
    else kit.close()
    if (!connected && after.view.embedded)
      kit.dispatch({ type: 'view.reset', entry: { name: 'Connect' } })
  }

  const previous = getNetwork(before)
  const network = getNetwork(after)
  const previousUnsupported = Boolean(before.chains[before.namespace]?.unsupportedNetworkId)
  const nowUnsupported = Boolean(after.chains[after.namespace]?.unsupportedNetworkId)
  if (previous !== network || (previousUnsupported && !nowUnsupported)) {
    const next = afterNetworkChange(kit.getState().view, {
      connected: Boolean(getAccount(after)),
      previous,
      next: nowUnsupported ? undefined : network,
      previousUnsupported,
    })
    if (next === 'back') leaveNetworkView(kit)
  }
}

/** @see spec §4.6.1, §8.6.1 */
function showUnsupportedChain(kit: KitInstance): void {
  const { enableNetworkSwitch, allowUnsupportedChain } = kit.options
  if (enableNetworkSwitch === false || allowUnsupportedChain) return
  const { view } = kit.getState()
  if (!view.open) void kit.open({ view: 'UnsupportedChain' })
  else if (currentView(view).name !== 'UnsupportedChain')
    kit.dispatch({ type: 'view.reset', entry: { name: 'UnsupportedChain' } })
}

/** @see spec §4.1.2 */
function persist(kit: KitInstance, state: State): void {
  const stored = kit.persisted.read()
  const connections: PersistedState['connections'] = { ...stored.connections }
  const networks: PersistedState['networks'] = { ...stored.networks }
  const accounts: PersistedState['accounts'] = {}
  for (const namespace of kit.options.namespaces) {
    const chain = state.chains[namespace]
    // While connections are being restored, the stored ones are kept.
    if (!chain || chain.status === 'reconnecting') return
    const entries = Object.keys(stored.connections[namespace] ?? {}).map(
      (id) => [id, 'disconnected'] as const,
    )
    connections[namespace] = Object.fromEntries<StoredConnection>([
      ...entries,
      ...chain.connections.map(
        ({ connectorId }) =>
          [connectorId, connectorId === chain.connectorId ? 'connected' : 'active'] as const,
      ),
    ])
    if (chain.networkId) networks[namespace] = chain.networkId
    const account = getAccount(state, namespace)
    if (account) accounts[namespace] = account.caipAddress
  }
  kit.persisted.write({ connections, networks, accounts, namespace: state.namespace })
}
