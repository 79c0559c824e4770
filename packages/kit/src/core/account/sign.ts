import type { ChainNamespace } from '@gatefold/protocol'

import type {
  Call,
  Receipt,
  TransactionRequest,
  TypedData,
  WriteContractRequest,
} from '../connection/Adapter.ts'
import { capability } from '../connection/Adapter.ts'
import type { Kit } from '../kit/Kit.ts'
import { current } from './balance.ts'

type On = { namespace?: ChainNamespace.ChainNamespace | undefined }

/**
 * Signs a message with the active account.
 *
 * @returns the signature, hex for EVM
 * @throws {NotConnectedError} no wallet is connected
 * @throws {UserRejectedError} the visitor declined
 * @throws {UnsupportedOperationError} the wallet does not support the method
 * @throws {SignMessageError} any other failure
 * @see spec §3.10.2, §7.13.2, §8.11.1
 */
export async function signMessage(kit: Kit, parameters: { message: string } & On): Promise<string> {
  const { adapter, account } = current(kit, parameters.namespace)
  const actions = await adapter.actions()
  return actions.signMessage({ message: parameters.message, address: account.address })
}

/** Signs typed data (EIP-712) with the active account. @see spec §7.13.2 */
export async function signTypedData(
  kit: Kit,
  parameters: { typedData: TypedData } & On,
): Promise<string> {
  const { adapter, account } = current(kit, parameters.namespace)
  const typedData = await capability(adapter, 'typedData', 'signTypedData')
  return typedData.signTypedData({ typedData: parameters.typedData, address: account.address })
}

/**
 * Sends a transaction from the active account.
 *
 * @returns the transaction's hash; `waitForReceipt` waits for the confirmation
 * @throws {NotConnectedError} no wallet is connected
 * @throws {UserRejectedError} the visitor declined
 * @throws {TransactionError} the chain or the wallet rejected it
 * @see spec §3.10.1, §5.9.1
 */
export async function sendTransaction(
  kit: Kit,
  parameters: TransactionRequest & On,
): Promise<string> {
  const { namespace, ...request } = parameters
  const actions = await current(kit, namespace).adapter.actions()
  return actions.sendTransaction(request)
}

/** Waits until a transaction is included in a block; the default timeout is 25 s. @see spec §9.12.1 */
export async function waitForReceipt(
  kit: Kit,
  parameters: { hash: string; timeoutMs?: number | undefined } & On,
): Promise<Receipt> {
  const { adapter, network } = current(kit, parameters.namespace)
  const receipts = await capability(adapter, 'receipts', 'waitForReceipt')
  return receipts.waitForReceipt({ ...parameters, network })
}

/** Estimates the gas of a transaction, in gas units. @see spec §8.11.2 */
export async function estimateGas(kit: Kit, parameters: TransactionRequest & On): Promise<bigint> {
  const { namespace, ...request } = parameters
  const { adapter } = current(kit, namespace)
  const contracts = await capability(adapter, 'contracts', 'estimateGas')
  return contracts.estimateGas(request)
}

/** Calls a contract function in a transaction, unless a simulation shows that it would revert. @see spec §7.13.2 */
export async function writeContract(
  kit: Kit,
  parameters: WriteContractRequest & On,
): Promise<string> {
  const { namespace, ...request } = parameters
  const { adapter } = current(kit, namespace)
  const contracts = await capability(adapter, 'contracts', 'writeContract')
  return contracts.writeContract(request)
}

/** Resolves a name, such as an ENS name, to its address; undefined if there is none. */
export async function resolveName(
  kit: Kit,
  parameters: { name: string } & On,
): Promise<string | undefined> {
  const { adapter, network } = current(kit, parameters.namespace)
  const { identity } = await adapter.actions()
  return identity?.resolveName({ name: parameters.name, network })
}

/** The wallet's capabilities (EIP-5792). @see spec §5.12.9 */
export async function getCapabilities(
  kit: Kit,
  parameters: On = {},
): Promise<Record<string, unknown>> {
  const { adapter, account } = current(kit, parameters.namespace)
  const batch = await capability(adapter, 'batch', 'getCapabilities')
  return batch.getCapabilities({ address: account.address })
}

/** Sends several calls as a batch (EIP-5792). @see spec §7.13.2 */
export async function sendCalls(
  kit: Kit,
  parameters: { calls: readonly Call[]; capabilities?: Record<string, unknown> } & On,
): Promise<{ id: string }> {
  const { adapter } = current(kit, parameters.namespace)
  const batch = await capability(adapter, 'batch', 'sendCalls')
  return batch.sendCalls(parameters)
}

/** The status of a batch (EIP-5792). @see spec §7.13.2 */
export async function getCallsStatus(
  kit: Kit,
  parameters: { id: string } & On,
): Promise<Record<string, unknown>> {
  const { adapter } = current(kit, parameters.namespace)
  const batch = await capability(adapter, 'batch', 'getCallsStatus')
  return batch.getCallsStatus(parameters)
}

/** Forwards the request to the connected wallet. @see spec §6.3.3 */
export async function grantPermissions(
  kit: Kit,
  parameters: Record<string, unknown>,
): Promise<unknown> {
  const { adapter } = current(kit)
  const permissions = await capability(adapter, 'permissions', 'grantPermissions')
  return permissions.grantPermissions(parameters)
}

/** Forwards the request to the connected wallet. @see spec §6.3.3 */
export async function revokePermissions(
  kit: Kit,
  parameters: Record<string, unknown>,
): Promise<unknown> {
  const { adapter } = current(kit)
  const permissions = await capability(adapter, 'permissions', 'revokePermissions')
  return permissions.revokePermissions(parameters)
}

/** The assets that the wallet reports (ERC-7811). @see spec §7.13.2 */
export async function getWalletAssets(
  kit: Kit,
  parameters: Record<string, unknown>,
): Promise<unknown> {
  const { adapter } = current(kit)
  const permissions = await capability(adapter, 'permissions', 'getWalletAssets')
  return permissions.getWalletAssets(parameters)
}

/** The wallet's provider: EIP-1193 on EVM. */
export async function getProvider(kit: Kit, parameters: On = {}): Promise<unknown> {
  return current(kit, parameters.namespace).adapter.getProvider()
}
