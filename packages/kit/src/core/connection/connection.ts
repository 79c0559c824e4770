import type { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'

import type { Account, Connection } from './Connector.ts'

/** @see spec §4.1.1 */
export type ConnectionStatus = 'disconnected' | 'connecting' | 'reconnecting' | 'connected'

/** One chain family's wallets. `connections` keeps the order in which they were connected. */
export type ChainState = {
  status: ConnectionStatus
  connections: readonly Connection[]
  /** The connector in use; `undefined` while nothing is connected. */
  connectorId: string | undefined
  /** The connector that is being asked right now. */
  pendingConnectorId: string | undefined
  /** The configured network in use. */
  networkId: CaipNetworkId.CaipNetworkId | undefined
  /** The chain the wallet is on, when it is none of the configured ones. @see spec §4.6.1 */
  unsupportedNetworkId: CaipNetworkId.CaipNetworkId | undefined
}

export type ConnectionEvent = { namespace: ChainNamespace.ChainNamespace } & (
  | { type: 'connection.connecting'; connectorId: string }
  | { type: 'connection.reconnecting' }
  | { type: 'connection.settled' }
  | {
      type: 'connection.connected'
      connection: Connection
      current: boolean
      known: readonly string[]
    }
  | { type: 'connection.accountsChanged'; connectorId: string; accounts: readonly Account[] }
  | {
      type: 'connection.chainChanged'
      connectorId: string
      caipNetworkId: CaipNetworkId.CaipNetworkId
      known: readonly string[]
    }
  | { type: 'connection.currentChanged'; connectorId: string; known: readonly string[] }
  | { type: 'connection.disconnected'; connectorId: string; known: readonly string[] }
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

/** Pure transitions of one chain family's connections. @see spec §4.1, §4.4, §4.6.1 */
export function connectionReducer(state: ChainState, event: ConnectionEvent): ChainState {
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
      if (event.connection.accounts.length === 0) return state
      const others = state.connections.filter(
        ({ connectorId }) => connectorId !== event.connection.connectorId,
      )
      const known = others.length !== state.connections.length
      const connections = known
        ? state.connections.map((connection) =>
            connection.connectorId === event.connection.connectorId ? event.connection : connection,
          )
        : [...others, event.connection]
      const current = event.current || state.connectorId === undefined
      const next: ChainState = {
        ...state,
        connections,
        pendingConnectorId:
          state.pendingConnectorId === event.connection.connectorId
            ? undefined
            : state.pendingConnectorId,
        status: 'connected',
        connectorId: current ? event.connection.connectorId : state.connectorId,
      }
      return followWallet(next, event.known)
    }
    case 'connection.accountsChanged': {
      // No accounts left means the wallet has let the site go. @see spec §4.1.8
      if (event.accounts.length === 0)
        return without(state, event.connectorId, state.networkId ? [state.networkId] : [])
      return {
        ...state,
        connections: state.connections.map((connection) =>
          connection.connectorId === event.connectorId
            ? { ...connection, accounts: event.accounts }
            : connection,
        ),
      }
    }
    case 'connection.chainChanged': {
      const next = {
        ...state,
        connections: state.connections.map((connection) =>
          connection.connectorId === event.connectorId
            ? { ...connection, caipNetworkId: event.caipNetworkId }
            : connection,
        ),
      }
      return event.connectorId === state.connectorId ? followWallet(next, event.known) : next
    }
    case 'connection.currentChanged': {
      if (!state.connections.some(({ connectorId }) => connectorId === event.connectorId))
        return state
      return followWallet({ ...state, connectorId: event.connectorId }, event.known)
    }
    case 'connection.disconnected':
      return without(state, event.connectorId, event.known)
    case 'connection.networkSelected':
      return state.networkId === event.networkId && !state.unsupportedNetworkId
        ? state
        : { ...state, networkId: event.networkId, unsupportedNetworkId: undefined }
  }
}

/** The connection in use. */
export function currentConnection(state: ChainState | undefined): Connection | undefined {
  return state?.connections.find(({ connectorId }) => connectorId === state.connectorId)
}

/** The site follows the wallet to any chain it knows; another one is marked as unsupported. */
function followWallet(state: ChainState, known: readonly string[]): ChainState {
  const walletChain = currentConnection(state)?.caipNetworkId
  if (!walletChain) return { ...state, unsupportedNetworkId: undefined }
  return known.includes(walletChain)
    ? { ...state, networkId: walletChain, unsupportedNetworkId: undefined }
    : { ...state, unsupportedNetworkId: walletChain }
}

/** @see spec §4.1.7 */
function without(state: ChainState, connectorId: string, known: readonly string[]): ChainState {
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
    ? followWallet({ ...next, connectorId: first.connectorId }, known)
    : next
}
