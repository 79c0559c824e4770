import { findConnector } from '../../connection/Connector.ts'
import { getAccount, getNetwork } from '../../connection/account.ts'
import { currentConnection } from '../../connection/chainState.ts'
import type { State } from '../../kit/state.ts'
import type { PendingTransaction } from './PendingTransaction.ts'

/** Wallets in the browser use the nonce that they receive; those behind a session often ignore it. */
const replacing: readonly unknown[] = ['INJECTED', 'ANNOUNCED', 'MULTI_CHAIN']

/**
 * Whether the visitor can speed up or cancel a transaction: `network` if the wallet has to switch to its network first,
 * false if its account is not the active one, the wallet is not in the browser, or it is a batch, which only the wallet
 * can change.
 */
export function canReplace(
  state: State,
  { status, account, networkId, callsId }: PendingTransaction,
): boolean | 'network' {
  const network = state.networks.find(({ caipNetworkId }) => caipNetworkId === networkId)
  if (status !== 'pending' || callsId || !network) return false
  const { chainNamespace } = network
  const isActive =
    getAccount(state, chainNamespace)?.address.toLowerCase() === account.toLowerCase()
  const connectorId = currentConnection(state.chains[chainNamespace])?.connectorId
  const connector = findConnector(state.connectors, connectorId, chainNamespace)
  if (!isActive || !replacing.includes(connector?.type)) return false
  const isThere = getNetwork(state, chainNamespace) === network
  return isThere && !state.chains[chainNamespace]?.unsupportedNetworkId ? true : 'network'
}
