import { type Hex, numberToHex, type PrivateKeyAccount, type TransactionSerializable } from 'viem'
import { type ChainRpc, isRecord } from './chainRpc.ts'
import type { CallRequest } from './params.ts'
import { rpcError } from './ProviderRpcError.ts'

/** Priority fee if the chain does not suggest one: 1 gwei, in wei. */
const fallbackTipWei = 1_000_000_000n

/**
 * The maximum cost of a call, in wei and gas units. Values that the page does not set are estimated.
 */
export type Cost = {
  gas: bigint
  fees:
    | { type: 'legacy'; gasPrice: bigint }
    | { type: 'eip1559'; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  /** The account's balance. */
  balance: bigint
}

/**
 * Estimates the cost of a call.
 *
 * @throws the chain's estimation error with its revert data, if the call would fail.
 */
export async function estimateCost(rpc: ChainRpc, from: Hex, call: CallRequest): Promise<Cost> {
  const [gas, fees, balance] = await Promise.all([
    call.gas ?? rpc('eth_estimateGas', [toRpc(from, call)]).then(toBigInt),
    estimateFees(rpc, call),
    rpc('eth_getBalance', [from, 'latest']).then(toBigInt),
  ])
  return { gas, fees, balance }
}

async function estimateFees(rpc: ChainRpc, call: CallRequest): Promise<Cost['fees']> {
  const block = await rpc('eth_getBlockByNumber', ['latest', false])
  const baseFee = isRecord(block) ? block.baseFeePerGas : undefined
  if (call.gasPrice !== undefined || typeof baseFee !== 'string') {
    return { type: 'legacy', gasPrice: call.gasPrice ?? toBigInt(await rpc('eth_gasPrice')) }
  }
  const maxPriorityFeePerGas =
    call.maxPriorityFeePerGas ??
    (await rpc('eth_maxPriorityFeePerGas').then(toBigInt, () => fallbackTipWei))
  // Twice the base fee is enough even after five full blocks.
  const maxFeePerGas = call.maxFeePerGas ?? BigInt(baseFee) * 2n + maxPriorityFeePerGas
  return { type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas }
}

/**
 * Signs a call with its nonce or, if it has none, with the account's next nonce.
 *
 * @returns the raw transaction
 */
export async function signCall(options: {
  rpc: ChainRpc
  account: PrivateKeyAccount
  chainId: number
  call: CallRequest
  cost: Cost
}): Promise<Hex> {
  const { rpc, account, chainId, call, cost } = options
  const nonce =
    call.nonce ??
    Number(toBigInt(await rpc('eth_getTransactionCount', [account.address, 'pending'])))
  const transaction: TransactionSerializable = {
    ...cost.fees,
    gas: cost.gas,
    chainId,
    nonce,
    to: call.to,
    value: call.value,
    data: call.data,
  }
  return account.signTransaction(transaction)
}

/** Polls for a receipt every 100 ms, because development chains mine instantly. */
export async function waitForReceipt(
  rpc: ChainRpc,
  hash: Hex,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  while (!signal.aborted) {
    const receipt = await rpc('eth_getTransactionReceipt', [hash])
    if (isRecord(receipt)) return receipt
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw signal.reason
}

function toRpc(from: Hex, call: CallRequest): Record<string, unknown> {
  const request: Record<string, unknown> = { from }
  if (call.to) request.to = call.to
  if (call.data) request.data = call.data
  if (call.value !== undefined) request.value = numberToHex(call.value)
  return request
}

function toBigInt(value: unknown): bigint {
  if (typeof value === 'string' && value.startsWith('0x')) return BigInt(value)
  throw rpcError('internal', 'The chain returned a value that is not a hex number.')
}
