import { getAccount, getNetwork } from '../connection/account.ts'
import type { FamilyParameters } from '../connection/account.ts'
import type { Balance, Identity } from '../connection/Adapter.ts'
import { NetworkNotFoundError } from '../kit/requestErrors.ts'
import { NotConnectedError } from '../kit/kitErrors.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import type { ChainNamespace } from '@gatefold/protocol'

/**
 * The native balance of the active account.
 *
 * @returns `balance` in whole units; `0.00` on test networks and on unsupported chains
 * @throws {NotConnectedError} no wallet is connected
 * @example const { balance, symbol } = await getBalance(kit)
 */
export async function getBalance(kit: Kit, parameters: FamilyParameters = {}): Promise<Balance> {
  const { account, network, adapter } = current(kit, parameters.namespace)
  if (network.testnet || kit.getState().chains[account.namespace]?.unsupportedNetworkId)
    return {
      balance: '0.00',
      symbol: network.nativeCurrency.symbol,
      value: 0n,
      decimals: network.nativeCurrency.decimals,
    }
  const actions = await adapter.actions()
  return actions.getBalance({ address: account.address, network })
}

/**
 * Name and avatar of the active account. Both are undefined on test networks and for chain families without
 * a name service.
 *
 * @throws {NotConnectedError} no wallet is connected
 */
export async function getIdentity(kit: Kit, parameters: FamilyParameters = {}): Promise<Identity> {
  const { account, network, adapter } = current(kit, parameters.namespace)
  const { identity } = network.testnet ? {} : await adapter.actions()
  return (
    identity?.getIdentity({ address: account.address, network }) ?? {
      name: undefined,
      avatar: undefined,
    }
  )
}

/**
 * The active account with its adapter and network.
 *
 * @throws {NotConnectedError} no wallet is connected
 * @throws {NetworkNotFoundError} the account's chain family has no active network
 */
export function current(kit: Kit, namespace?: ChainNamespace.ChainNamespace) {
  const state = kit.getState()
  const account = getAccount(state, namespace)
  if (!account) throw new NotConnectedError()
  const adapter = instanceOf(kit).adapters.get(account.namespace)
  if (!adapter) throw new NotConnectedError()
  const network = getNetwork(state, account.namespace)
  if (!network) throw new NetworkNotFoundError()
  return { account, adapter, network }
}
