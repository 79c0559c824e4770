import { featureNamespaces } from '../../data/featureNamespaces.ts'
import { getAccount, getNetwork } from '../connection/account.ts'
import type { FamilyParameters } from '../connection/account.ts'
import type { Balance, Identity } from '../connection/Adapter.ts'
import { NetworkNotFoundError, NotConnectedError } from '../kit/requestErrors.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import type { ChainNamespace } from '@gatefold/protocol'
import type { Network } from '../networks/Network.ts'
import type { IdentityResponse } from '@gatefold/protocol/gateway'

/** Maximum length of a name, and of an avatar's URL. */
const maxLength = 2_000
/** Networks whose latest balance could not be read. */
const unread = new WeakSet<Network>()

/**
 * The balance of the active account: of the token that the option `tokens` names for the network, otherwise of the
 * native currency. On Solana, the native balance of the account that a session grants.
 * If it cannot be read, logs a warning, unless the previous attempt on that network failed too.
 *
 * @returns `balance` in whole units; `0.00` on test networks and on unsupported chains, and with `error` if it cannot be
 *   read
 * @throws {NotConnectedError} no wallet is connected
 * @example const { balance, symbol } = await getBalance(kit)
 */
export async function getBalance(kit: Kit, parameters: FamilyParameters = {}): Promise<Balance> {
  const { namespace } = parameters
  if (namespace && featureNamespaces.nodeBalance.includes(namespace)) {
    const { readGrantedBalance } = await import('./readSolanaBalance.ts')
    const granted = await readGrantedBalance(kit, namespace)
    if (granted) return warnOnce(granted.network, granted.balance)
  }
  const { network } = current(kit, namespace)
  const token = instanceOf(kit).options.tokens?.[network.caipNetworkId]
  if (!token) return getNativeBalance(kit, parameters)
  const balance = await readBalance(kit, parameters, token.address)
  return { ...balance, image: token.image }
}

/** The balance of the native currency, whatever the option `tokens`. */
export function getNativeBalance(kit: Kit, parameters: FamilyParameters = {}): Promise<Balance> {
  return readBalance(kit, parameters, undefined)
}

async function readBalance(
  kit: Kit,
  parameters: FamilyParameters,
  token: string | undefined,
): Promise<Balance> {
  const { account, network, adapter } = current(kit, parameters.namespace)
  if (network.testnet || kit.getState().chains[account.namespace]?.unsupportedNetworkId)
    return noBalance(network)
  const actions = await adapter.actions()
  return warnOnce(network, await actions.getBalance({ address: account.address, network, token }))
}

/** Logs the error of a balance. @see spec §8.11.3 */
function warnOnce(network: Network, balance: Balance): Balance {
  if (!balance.error) unread.delete(network)
  else if (!unread.has(network)) {
    unread.add(network)
    // oxlint-disable-next-line no-console -- the specification requires a warning; the view shows `error`
    console.warn('Gatefold: the balance could not be read.', balance.error)
  }
  return balance
}

/** What is shown on networks whose currency has no value. @see spec §5.8.2 */
export function noBalance({ nativeCurrency: { symbol, decimals } }: Network): Balance {
  return { balance: '0.00', symbol, value: 0n, decimals }
}

/**
 * Name and avatar of the active account, from the gateway or the chain: its ENS name, or otherwise the name that it has
 * registered at the gateway. Both are undefined on test networks and for chain families without names.
 *
 * @throws {NotConnectedError} no wallet is connected
 * @throws {GatewayError} the account has no ENS name, and the gateway failed
 */
export async function getIdentity(kit: Kit, parameters: FamilyParameters = {}): Promise<Identity> {
  const { account, network, adapter } = current(kit, parameters.namespace)
  const unknown = { name: undefined, avatar: undefined }
  if (network.testnet) return unknown
  const { address, namespace } = account
  const { identity } = await adapter.actions()
  const found = identity && (await findIdentity(kit, address))
  const read = (await identity?.getIdentity({ address, network, found })) ?? unknown
  if (read.name !== undefined || found || !featureNamespaces.names.includes(namespace)) return read
  const { getNamesOf } = await import('../names/names.ts')
  const [name] = await getNamesOf(kit, address)
  return { ...read, name }
}

/**
 * The identity that the gateway has; undefined if it must be read from the
 * chain.
 */
async function findIdentity(kit: Kit, address: string): Promise<Identity | undefined> {
  const gateway = await instanceOf(kit).gateway()
  if (!gateway) return undefined
  try {
    const body: { [field in keyof IdentityResponse]?: unknown } = await gateway.request(
      `/v1/identity/${address}`,
    )
    const { name, avatar, missing } = body
    const [isName, isUrl] = [name, avatar].map(
      (value) => value === null || (typeof value === 'string' && value.length <= maxLength),
    )
    if (missing || !isName || !isUrl) return undefined
    return { name: (name as string) ?? undefined, avatar: (avatar as string) ?? undefined }
  } catch {
    // Other gateways with this contract may lack this path, and a failure must
    // not hide an ENS name.
    return undefined
  }
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
