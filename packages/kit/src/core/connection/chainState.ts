import type { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'

import type { Network } from '../networks/Network.ts'
import type { Account, Connection } from './Connection.ts'

/** `connecting`: the first wallet's approval is pending. `reconnecting`: connections of the last visit are being restored. */
export type ConnectionStatus = 'disconnected' | 'connecting' | 'reconnecting' | 'connected'

/** The connection state of one chain family. */
export type ChainState = {
  /** Whether a wallet is connected. */
  status: ConnectionStatus
  /** The connected wallets, oldest first. */
  connections: readonly Connection[]
  /** The active connector; undefined while no wallet is connected. */
  connectorId: string | undefined
  /** The connector with a pending request. */
  pendingConnectorId: string | undefined
  /** The active network, selected from the configured ones. */
  networkId: CaipNetworkId.CaipNetworkId | undefined
  /** The wallet's chain, if it is not configured. */
  unsupportedNetworkId: CaipNetworkId.CaipNetworkId | undefined
}

export type ConnectionEvent = { namespace: ChainNamespace.ChainNamespace } & (
  | { type: 'connection.connecting'; connectorId: string }
  | { type: 'connection.reconnecting' }
  | { type: 'connection.settled' }
  | { type: 'connection.connected'; connection: Connection; active: boolean }
  | { type: 'connection.accountsChanged'; connectorId: string; accounts: readonly Account[] }
  | {
      type: 'connection.chainChanged'
      connectorId: string
      caipNetworkId: CaipNetworkId.CaipNetworkId
    }
  | { type: 'connection.activated'; connectorId: string }
  | { type: 'connection.disconnected'; connectorId: string }
  | { type: 'connection.networkSelected'; networkId: CaipNetworkId.CaipNetworkId }
)

export function initialChainState(networkId?: CaipNetworkId.CaipNetworkId): ChainState {
  return {
    status: 'disconnected',
    connections: [],
    connectorId: undefined,
    pendingConnectorId: undefined,
    networkId,
    unsupportedNetworkId: undefined,
  }
}

/**
 * Pure transitions of one chain family's connections.
 *
 * @param networks - the configured networks of all families
 * @see spec §4.1, §4.4, §4.6.1
 */
export function connectionReducer(
  state: ChainState,
  event: ConnectionEvent,
  networks: readonly Pick<Network, 'caipNetworkId'>[],
): ChainState {
  switch (event.type) {
    case 'connection.connecting':
      return {
        ...state,
        status: state.connections.length > 0 ? 'connected' : 'connecting',
        pendingConnectorId: event.connectorId,
      }
    case 'connection.reconnecting':
      return { ...state, status: 'reconnecting' }
    case 'connection.settled':
      return {
        ...state,
        pendingConnectorId: undefined,
        status: state.connections.length > 0 ? 'connected' : 'disconnected',
      }
    case 'connection.connected': {
      const { connectorId, accounts } = event.connection
      if (accounts.length === 0) return state
      const exists = state.connections.some((connection) => connection.connectorId === connectorId)
      const active = event.active || state.connectorId === undefined
      return followWallet(
        {
          ...state,
          connections: exists
            ? update(state, connectorId, event.connection)
            : [...state.connections, event.connection],
          pendingConnectorId:
            state.pendingConnectorId === connectorId ? undefined : state.pendingConnectorId,
          status: 'connected',
          connectorId: active ? connectorId : state.connectorId,
        },
        networks,
      )
    }
    case 'connection.accountsChanged': {
      const { accounts, connectorId } = event
      // A wallet without accounts has revoked the connection. @see spec §4.1.8
      if (accounts.length === 0) return without(state, connectorId, networks)
      return { ...state, connections: update(state, connectorId, { accounts }) }
    }
    case 'connection.chainChanged': {
      const { caipNetworkId, connectorId } = event
      const next = { ...state, connections: update(state, connectorId, { caipNetworkId }) }
      return connectorId === state.connectorId ? followWallet(next, networks) : next
    }
    case 'connection.activated': {
      if (!state.connections.some(({ connectorId }) => connectorId === event.connectorId))
        return state
      return followWallet({ ...state, connectorId: event.connectorId }, networks)
    }
    case 'connection.disconnected':
      return without(state, event.connectorId, networks)
    case 'connection.networkSelected':
      return state.networkId === event.networkId && !state.unsupportedNetworkId
        ? state
        : { ...state, networkId: event.networkId, unsupportedNetworkId: undefined }
  }
}

/** The active connection. */
export function currentConnection(state: ChainState | undefined): Connection | undefined {
  return state?.connections.find(({ connectorId }) => connectorId === state.connectorId)
}

function update(state: ChainState, connectorId: string, change: Partial<Connection>) {
  return state.connections.map((connection) =>
    connection.connectorId === connectorId ? { ...connection, ...change } : connection,
  )
}

/** Adopts the wallet's chain if it is configured, otherwise marks it as unsupported. */
function followWallet(
  state: ChainState,
  networks: readonly Pick<Network, 'caipNetworkId'>[],
): ChainState {
  const walletChain = currentConnection(state)?.caipNetworkId
  return networks.some(({ caipNetworkId }) => caipNetworkId === walletChain)
    ? { ...state, networkId: walletChain, unsupportedNetworkId: undefined }
    : { ...state, unsupportedNetworkId: walletChain }
}

/** @see spec §4.1.7 */
function without(
  state: ChainState,
  connectorId: string,
  networks: readonly Pick<Network, 'caipNetworkId'>[],
): ChainState {
  const connections = state.connections.filter(
    (connection) => connection.connectorId !== connectorId,
  )
  if (connections.length === state.connections.length) return state
  const first = connections[0]
  if (!first)
    return {
      ...state,
      connections,
      status: state.pendingConnectorId ? 'connecting' : 'disconnected',
      connectorId: undefined,
      unsupportedNetworkId: undefined,
    }
  const next = { ...state, connections, status: 'connected' as const }
  return state.connectorId === connectorId
    ? followWallet({ ...next, connectorId: first.connectorId }, networks)
    : next
}
