import { CaipAddress } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import { currentConnection } from './chainState.ts'
import type { ChainState } from './chainState.ts'
import type { ConnectedAccount } from '../kit/Kit.ts'
import type { Network } from '../networks/Network.ts'
import type { State } from '../kit/state.ts'
import type { SessionState } from './Session.ts'

/** Selects a chain family. */
export type FamilyParameters = {
  /** The chain family, such as `eip155`; by default the active one. */
  namespace?: ChainNamespace.ChainNamespace | undefined
}

/** The chain state of a family; by default, of the active family. */
export function getChain(
  state: State,
  namespace: ChainNamespace.ChainNamespace = state.namespace,
): ChainState | undefined {
  return state.chains[namespace]
}

/** The active network of a family. */
export function getNetwork(
  state: State,
  namespace?: ChainNamespace.ChainNamespace,
): Network | undefined {
  const id = getChain(state, namespace)?.networkId
  return state.networks.find(({ caipNetworkId }) => caipNetworkId === id)
}

const accounts = new WeakMap<ChainState, ConnectedAccount | undefined>()

/**
 * The active account of a family; by default the active family. Its CAIP address has the wallet's
 * chain or, if that is unknown, the active network. Memoized by chain state, so that the result is
 * referentially stable.
 *
 * @example getAccount(kit.getState())?.address
 */
export function getAccount(
  state: State,
  namespace?: ChainNamespace.ChainNamespace,
): ConnectedAccount | undefined {
  const chain = getChain(state, namespace)
  if (!chain) return undefined
  if (accounts.has(chain)) return accounts.get(chain)
  const connection = currentConnection(chain)
  const account = connection?.accounts[0]
  const caipNetworkId = connection?.caipNetworkId ?? chain.networkId
  const result =
    account && caipNetworkId
      ? { ...account, caipAddress: CaipAddress.format(caipNetworkId, account.address) }
      : undefined
  accounts.set(chain, result)
  return result
}

/** Whether a wallet is connected, on any family. */
export function isConnected(state: State): boolean {
  return Object.values(state.chains).some((chain) => chain.connections.length > 0)
}

/** Whether a connector is connected: on the given family, or on any. */
export function isConnectedBy(
  state: Pick<State, 'chains'>,
  connectorId: string | undefined,
  namespace?: ChainNamespace.ChainNamespace,
): boolean {
  const chains = namespace ? [state.chains[namespace]] : Object.values(state.chains)
  return chains.some((chain) =>
    chain?.connections.some((connection) => connection.connectorId === connectorId),
  )
}

/** The session of a connector, or undefined once it has ended. */
export function getSession(
  state: Pick<State, 'sessions'>,
  connectorId: string | undefined,
): SessionState | undefined {
  const session = connectorId === undefined ? undefined : state.sessions[connectorId]
  return session?.end ? undefined : session
}
