import { currentConnection } from '../connection/chainState.ts'
import type { State } from '../kit/state.ts'
import type { Network } from './Network.ts'

/**
 * Whether a network can be used: false only if the active wallet of its family restricted its networks and did not
 * approve this one.
 */
export function canUse(state: State, network: Network): boolean {
  const approved = currentConnection(state.chains[network.chainNamespace])?.approvedNetworkIds
  return !approved || approved.includes(network.caipNetworkId)
}
