import type { ChainNamespace } from '@gatefold/protocol'

import { getNetwork } from '../connection/account.ts'
import { canUse } from '../networks/canUse.ts'
import { currentConnection } from '../connection/chainState.ts'
import type { Account, AccountType } from '../connection/Connection.ts'
import type { State } from '../kit/state.ts'
import type { Network } from '../networks/Network.ts'

/** The addresses and networks on which a chain family's active wallet receives. */
export type ReceiveTarget = {
  /** The chain family. */
  namespace: ChainNamespace.ChainNamespace
  /** The wallet's own name for the account: email or social name of an embedded wallet. */
  name: string | undefined
  /** The active account, or the wallet's first account for each purpose. Never empty. */
  accounts: readonly Account[]
  /** The networks on which the accounts can receive coins. */
  networks: readonly Network[]
  /** The selected network. Undefined if `networks` is empty, for example on an unsupported chain. */
  network: Network | undefined
}

/** Account types that a wallet uses side by side, each for a different purpose. */
const purposes: readonly AccountType[] = ['payment', 'ordinal']

/**
 * Where the visitor receives on a network.
 *
 * @param network - by default, and if its family has no wallet, the active one
 * @returns undefined while no wallet is connected
 * @see docs/views.md#walletreceive
 */
export function receiveTarget(state: State, network?: Network): ReceiveTarget | undefined {
  const target = network && targetOf(state, network.chainNamespace, network)
  return target ?? targetOf(state, state.namespace)
}

/** Where the visitor receives on the other chain families that have a wallet and a network. */
export function otherReceiveTargets(
  state: State,
  namespace: ChainNamespace.ChainNamespace,
): readonly ReceiveTarget[] {
  const families = Object.keys(state.chains) as ChainNamespace.ChainNamespace[]
  return families
    .filter((family) => family !== namespace)
    .flatMap((family) => targetOf(state, family) ?? [])
    .filter(({ network }) => network)
}

function targetOf(
  state: State,
  namespace: ChainNamespace.ChainNamespace,
  wanted?: Network,
): ReceiveTarget | undefined {
  const connection = currentConnection(state.chains[namespace])
  const active = connection?.accounts[0]
  if (!active) return undefined
  const networks = networksOf(state, active)
  const network = [wanted, getNetwork(state, namespace)]
    .map((one) => networks.find(({ caipNetworkId }) => caipNetworkId === one?.caipNetworkId))
    .find(Boolean)
  return {
    namespace,
    name: connection.name,
    accounts: purposes.includes(active.type)
      ? purposes.flatMap((type) => connection.accounts.find((one) => one.type === type) ?? [])
      : [active],
    networks,
    network: network ?? networks[0],
  }
}

/**
 * The configured networks on which an account of the active wallet receives. Omits the networks that the wallet has not
 * approved, because a contract wallet connects as an ordinary account and exists only on the networks that it approves.
 */
function networksOf(state: State, { namespace, type }: Account): readonly Network[] {
  const chain = state.chains[namespace]
  const usable = state.networks.filter(
    (network) => network.chainNamespace === namespace && canUse(state, network),
  )
  if (type !== 'smartAccount') return usable
  const current = currentConnection(chain)?.caipNetworkId ?? chain?.networkId
  return usable.filter(({ caipNetworkId }) => caipNetworkId === current)
}
