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
 * @throws {UserRejectedError} the visitor declined
 * @throws {SignMessageError} anything else
 * @see spec §3.10.2, §7.13.2, §8.11.1
 */
export function signMessage(kit: Kit, parameters: { message: string } & On): Promise<string> {
  return attempt(() => {
    const { adapter, account } = current(kit, parameters.namespace)
    return adapter.signMessage({ message: parameters.message, address: account.address })
  })
}

/** Signs typed data (EIP-712) with the active account. @see spec §7.13.2 */
export function signTypedData(
  kit: Kit,
  parameters: { typedData: TypedData } & On,
): Promise<string> {
  return attempt(() => {
    const { adapter, account } = current(kit, parameters.namespace)
    return capability(adapter, 'typedData', 'signTypedData').signTypedData({
      typedData: parameters.typedData,
      address: account.address,
    })
  })
}

/**
 * Sends a transaction from the active account.
 *
 * @returns its hash; `waitForReceipt` waits for the confirmation
 * @throws {UserRejectedError} the visitor declined
 * @throws {TransactionError} the chain or the wallet rejected it
 * @see spec §3.10.1, §5.9.1
 */
export function sendTransaction(kit: Kit, parameters: TransactionRequest & On): Promise<string> {
  const { namespace, ...request } = parameters
  return attempt(() => current(kit, namespace).adapter.sendTransaction(request))
}

/** Waits until a transaction is included in a block; the default timeout is 25 s. @see spec §9.12.1 */
export function waitForReceipt(
  kit: Kit,
  parameters: { hash: string; timeoutMs?: number | undefined } & On,
): Promise<Receipt> {
  return attempt(() => {
    const { adapter, network } = current(kit, parameters.namespace)
    return capability(adapter, 'receipts', 'waitForReceipt').waitForReceipt({
      ...parameters,
      network,
    })
  })
}

/** Estimates a transaction in gas units. @see spec §8.11.2 */
export function estimateGas(kit: Kit, parameters: TransactionRequest & On): Promise<bigint> {
  const { namespace, ...request } = parameters
  return attempt(() =>
    capability(current(kit, namespace).adapter, 'contracts', 'estimateGas').estimateGas(request),
  )
}

/** Calls a contract function in a transaction, unless a simulation shows that it would revert. @see spec §7.13.2 */
export function writeContract(kit: Kit, parameters: WriteContractRequest & On): Promise<string> {
  const { namespace, ...request } = parameters
  return attempt(() =>
    capability(current(kit, namespace).adapter, 'contracts', 'writeContract').writeContract(
      request,
    ),
  )
}

/** Resolves a name, such as an ENS name, to its address. */
export async function resolveName(
  kit: Kit,
  parameters: { name: string } & On,
): Promise<string | undefined> {
  const { adapter, network } = current(kit, parameters.namespace)
  return adapter.capabilities.identity?.resolveName({ name: parameters.name, network })
}

/** The wallet's capabilities (EIP-5792). @see spec §5.12.9 */
export function getCapabilities(kit: Kit, parameters: On = {}): Promise<Record<string, unknown>> {
  return attempt(() => {
    const { adapter, account } = current(kit, parameters.namespace)
    return capability(adapter, 'batch', 'getCapabilities').getCapabilities({
      address: account.address,
    })
  })
}

/** Sends several calls as a batch (EIP-5792). @see spec §7.13.2 */
export function sendCalls(
  kit: Kit,
  parameters: { calls: readonly Call[]; capabilities?: Record<string, unknown> } & On,
): Promise<{ id: string }> {
  return attempt(() =>
    capability(current(kit, parameters.namespace).adapter, 'batch', 'sendCalls').sendCalls(
      parameters,
    ),
  )
}

export function getCallsStatus(
  kit: Kit,
  parameters: { id: string } & On,
): Promise<Record<string, unknown>> {
  return attempt(() =>
    capability(
      current(kit, parameters.namespace).adapter,
      'batch',
      'getCallsStatus',
    ).getCallsStatus(parameters),
  )
}

/** Forwarded to the connected wallet. @see spec §6.3.3 */
export function grantPermissions(kit: Kit, parameters: Record<string, unknown>): Promise<unknown> {
  return attempt(() =>
    capability(current(kit).adapter, 'permissions', 'grantPermissions').grantPermissions(
      parameters,
    ),
  )
}

/** Forwarded to the connected wallet. @see spec §6.3.3 */
export function revokePermissions(kit: Kit, parameters: Record<string, unknown>): Promise<unknown> {
  return attempt(() =>
    capability(current(kit).adapter, 'permissions', 'revokePermissions').revokePermissions(
      parameters,
    ),
  )
}

/** The assets that the wallet reports (ERC-7811). @see spec §7.13.2 */
export function getWalletAssets(kit: Kit, parameters: Record<string, unknown>): Promise<unknown> {
  return attempt(() =>
    capability(current(kit).adapter, 'permissions', 'getWalletAssets').getWalletAssets(parameters),
  )
}

/** The wallet's provider: EIP-1193 on EVM. */
export function getProvider(kit: Kit, parameters: On = {}): Promise<unknown> {
  return attempt(() => current(kit, parameters.namespace).adapter.getProvider())
}

/** Turns synchronous errors into rejections. */
async function attempt<result>(run: () => Promise<result>): Promise<result> {
  return run()
}
