import { featureNamespaces } from '../../data/featureNamespaces.ts'
import type {
  Call,
  Receipt,
  TransactionRequest,
  TypedData,
  WriteContractRequest,
} from '../connection/Adapter.ts'
import { capability } from '../connection/Adapter.ts'
import type { FamilyParameters } from '../connection/account.ts'
import { findGrantingSession } from '../connection/findGrantingSession.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import { NotConnectedError, ProviderNotFoundError } from '../kit/requestErrors.ts'
import { current } from './balance.ts'

/**
 * Signs a message with the active account.
 *
 * @returns the signature, hex for EVM
 * @throws {NotConnectedError} no wallet is connected
 * @throws {UserRejectedError} the visitor declined
 * @throws {UnsupportedOperationError} the wallet does not support the method
 * @throws {SignMessageError} any other failure
 * @example const signature = await signMessage(kit, { message: 'Hello' })
 */
export async function signMessage(kit: Kit, parameters: signMessage.Parameters): Promise<string> {
  const { adapter, account } = current(kit, parameters.namespace)
  const actions = await adapter.actions()
  return actions.signMessage({ message: parameters.message, address: account.address })
}

export declare namespace signMessage {
  /** What to sign. */
  type Parameters = FamilyParameters & {
    /** The text. */
    message: string
  }
}

/**
 * Signs typed data (EIP-712) with the active account.
 *
 * @returns the signature
 * @throws {NotConnectedError} no wallet is connected
 * @throws {UserRejectedError} the visitor declined
 */
export async function signTypedData(
  kit: Kit,
  parameters: signTypedData.Parameters,
): Promise<string> {
  const { adapter, account } = current(kit, parameters.namespace)
  const typedData = await capability(adapter, 'typedData', 'signTypedData')
  return typedData.signTypedData({ typedData: parameters.typedData, address: account.address })
}

export declare namespace signTypedData {
  /** What to sign. */
  type Parameters = FamilyParameters & {
    /** The data. */
    typedData: TypedData
  }
}

/**
 * Sends a transaction from the active account.
 *
 * @returns the transaction's hash; `waitForReceipt` waits for the confirmation
 * @throws {NotConnectedError} no wallet is connected
 * @throws {UserRejectedError} the visitor declined
 * @throws {WrongHashError} the wallet did not return a hash; the transaction
 *   may have been sent
 * @throws {TransactionError} the chain or the wallet rejected it
 * @example
 * const hash = await sendTransaction(kit, { to: '0x…', value: 10n ** 16n })
 * const { status } = await waitForReceipt(kit, { hash })
 */
export async function sendTransaction(
  kit: Kit,
  parameters: sendTransaction.Parameters,
): Promise<string> {
  const { namespace, ...request } = parameters
  const actions = await current(kit, namespace).adapter.actions()
  return actions.sendTransaction(request)
}

export declare namespace sendTransaction {
  /** What to send. */
  type Parameters = TransactionRequest & FamilyParameters
}

/**
 * Waits until a transaction is in a block.
 *
 * @throws {TransactionError} it is not in a block after `timeoutMs`
 */
export async function waitForReceipt(
  kit: Kit,
  parameters: waitForReceipt.Parameters,
): Promise<Receipt> {
  const { adapter, network } = current(kit, parameters.namespace)
  const receipts = await capability(adapter, 'receipts', 'waitForReceipt')
  return receipts.waitForReceipt({ ...parameters, network })
}

export declare namespace waitForReceipt {
  /** What to wait for. */
  type Parameters = FamilyParameters & {
    /** The transaction's hash. */
    hash: string
    /**
     * How long to wait.
     *
     * @default 25000
     */
    timeoutMs?: number | undefined
  }
}

/** Estimates the gas of a transaction, in gas units. */
export async function estimateGas(
  kit: Kit,
  parameters: TransactionRequest & FamilyParameters,
): Promise<bigint> {
  const { namespace, ...request } = parameters
  const { adapter } = current(kit, namespace)
  const contracts = await capability(adapter, 'contracts', 'estimateGas')
  return contracts.estimateGas(request)
}

/**
 * Calls a contract function in a transaction, unless a simulation shows that it would revert.
 *
 * @returns the transaction's hash
 * @throws {TransactionError} it would revert; the message contains the reason
 */
export async function writeContract(
  kit: Kit,
  parameters: WriteContractRequest & FamilyParameters,
): Promise<string> {
  const { namespace, ...request } = parameters
  const { adapter } = current(kit, namespace)
  const contracts = await capability(adapter, 'contracts', 'writeContract')
  return contracts.writeContract(request)
}

/**
 * Resolves a name to its address; undefined if there is none. A name in a zone
 * below `.alt` is resolved by the gateway, every other one by ENS: no name in
 * ENS ends in `.alt` (RFC 9476), so the gateway cannot forge an ENS name.
 *
 * @throws {GatewayError} the name is in a zone below `.alt`, and the gateway failed
 * @example const address = await resolveName(kit, { name: 'vitalik.eth' })
 */
export async function resolveName(
  kit: Kit,
  parameters: resolveName.Parameters,
): Promise<string | undefined> {
  const { account, adapter, network } = current(kit, parameters.namespace)
  const { name } = parameters
  if (/\.alt$/i.test(name) && featureNamespaces.names.includes(account.namespace)) {
    const { resolveGatewayName } = await import('../names/resolveGatewayName.ts')
    return resolveGatewayName(kit, name, network)
  }
  const { identity } = await adapter.actions()
  return identity?.resolveName({ name, network })
}

export declare namespace resolveName {
  /** What to resolve. */
  type Parameters = FamilyParameters & {
    /** The name. */
    name: string
  }
}

/** The wallet's capabilities, by chain (EIP-5792). */
export async function getCapabilities(
  kit: Kit,
  parameters: FamilyParameters = {},
): Promise<Record<string, unknown>> {
  const { adapter, account } = current(kit, parameters.namespace)
  const batch = await capability(adapter, 'batch', 'getCapabilities')
  return batch.getCapabilities({ address: account.address })
}

/**
 * Sends several calls as a batch (EIP-5792). On EVM, the calls are sent one by one if the wallet does not support batches.
 *
 * @returns the id of the batch, for `getCallsStatus`
 * @throws {UnsupportedOperationError} the wallet does not execute the calls atomically, as `isAtomic` requires
 * @throws {WrongHashError} the wallet returned no id; the calls may have been sent
 */
export async function sendCalls(
  kit: Kit,
  parameters: {
    /** The calls, in order. */
    calls: readonly Call[]
    /** Capabilities to use, as EIP-5792 defines them. */
    capabilities?: Record<string, unknown>
    /**
     * Whether the wallet has to execute all of the calls or none.
     *
     * @default false
     */
    isAtomic?: boolean
    /** CAIP-2 id of the network that the wallet has to be on; by default, its current one. */
    caipNetworkId?: string
  } & FamilyParameters,
): Promise<{ id: string }> {
  const { adapter } = current(kit, parameters.namespace)
  const batch = await capability(adapter, 'batch', 'sendCalls')
  return batch.sendCalls(parameters)
}

/** The status of a batch (EIP-5792). */
export async function getCallsStatus(
  kit: Kit,
  parameters: {
    /** The id of the batch. */
    id: string
  } & FamilyParameters,
): Promise<Record<string, unknown>> {
  const { adapter } = current(kit, parameters.namespace)
  const batch = await capability(adapter, 'batch', 'getCallsStatus')
  return batch.getCallsStatus(parameters)
}

/** Forwards `wallet_grantPermissions` (ERC-7715) to the connected wallet. */
export async function grantPermissions(
  kit: Kit,
  parameters: Record<string, unknown>,
): Promise<unknown> {
  const { adapter } = current(kit)
  const permissions = await capability(adapter, 'permissions', 'grantPermissions')
  return permissions.grantPermissions(parameters)
}

/** Forwards `wallet_revokePermissions` (ERC-7715) to the connected wallet. */
export async function revokePermissions(
  kit: Kit,
  parameters: Record<string, unknown>,
): Promise<unknown> {
  const { adapter } = current(kit)
  const permissions = await capability(adapter, 'permissions', 'revokePermissions')
  return permissions.revokePermissions(parameters)
}

/** The assets that the wallet reports (ERC-7811). */
export async function getWalletAssets(
  kit: Kit,
  parameters: Record<string, unknown>,
): Promise<unknown> {
  const { adapter } = current(kit)
  const permissions = await capability(adapter, 'permissions', 'getWalletAssets')
  return permissions.getWalletAssets(parameters)
}

/**
 * The wallet's provider: EIP-1193 on EVM, a Wallet Standard wallet on Solana.
 * If the family has no adapter, the provider of the session that grants the
 * family, such as the embedded wallet's.
 *
 * @throws {NotConnectedError} no wallet is connected
 * @throws {ProviderNotFoundError} the wallet has left the page
 */
export async function getProvider(kit: Kit, parameters: FamilyParameters = {}): Promise<unknown> {
  const { adapters, connectors } = instanceOf(kit)
  const state = kit.getState()
  const { namespace = state.namespace } = parameters
  if (adapters.has(namespace)) {
    const provider = await current(kit, namespace).adapter.getProvider()
    if (!provider) throw new ProviderNotFoundError()
    return provider
  }
  const { connectorId } = findGrantingSession(state, namespace) ?? {}
  const session = connectorId ? await connectors.get(connectorId)?.restore() : undefined
  if (!session) throw new NotConnectedError()
  return session.provider(namespace)
}
