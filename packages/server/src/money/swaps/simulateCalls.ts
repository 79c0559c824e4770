import {
  BaseError,
  decodeErrorResult,
  erc20Abi,
  encodeFunctionData,
  RpcRequestError,
  type Address,
  type Hex,
  type Log,
} from 'viem'
import { simulateBlocks } from 'viem/actions'
import type { EvmChain } from '../evm/createEvmChain.ts'
import type { BuiltSwap, SwapOrder } from './SwapSource.ts'

/**
 * Percentage added to the simulated gas, because the state of the contracts may change before the transaction is mined.
 */
const gasMarginPercent = 20n

/** The gas limit for a call that used `gas` in the simulation. */
export function withMargin(gas: bigint): bigint {
  return (gas * (100n + gasMarginPercent)) / 100n
}

/** A call of an account. */
export type SwapCall = { to: Address; data: Hex; value: bigint }

/** How the last of several calls ended. A failed call before it ends the simulation. */
export type SimulatedCalls =
  | { status: 'success'; logs: Log[]; gas: bigint }
  | {
      status: 'reverted'
      /** The reason, or the first four bytes of a custom error. */
      reason: string
    }
  /** The upstream has no `eth_simulateV1`. */
  | { status: 'unsupported' }

/** The calls of an order: the approvals, if the account sends them in the same batch, then the swap. */
export function callsOf(order: SwapOrder, { to, data, value }: BuiltSwap, spender: Address) {
  const { from, amount, withApproval, withReset } = order
  const approve = (units: bigint) => approvalOf(from, spender, units)
  return [
    ...(withApproval && withReset ? [approve(0n)] : []),
    ...(withApproval ? [approve(amount)] : []),
    { to, data, value } satisfies SwapCall,
  ]
}

/** The approval of an amount. */
export function approvalOf(token: Address, spender: Address, amount: bigint): SwapCall {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [spender, amount],
  })
  return { to: token, data, value: 0n }
}

/**
 * Simulates calls of an account, one after another in one block. The logs
 * include transfers of the native currency, in the form of token transfers.
 *
 * @returns the result of the last call, or of the first that fails
 * @throws viem's error if the upstream does not respond
 */
export async function simulateCalls(
  { client }: EvmChain,
  account: Address,
  calls: readonly SwapCall[],
): Promise<SimulatedCalls> {
  try {
    const [block] = await simulateBlocks(client, {
      blocks: [{ calls: calls.map((call) => ({ ...call, account })) }],
      traceTransfers: true,
    })
    const results = block?.calls ?? []
    const failed = results.find(({ status }) => status !== 'success')
    if (failed) return { status: 'reverted', reason: reasonOf(failed.data, failed.error) }
    const last = results[calls.length - 1]
    if (!last) return { status: 'unsupported' }
    return { status: 'success', logs: last.logs ?? [], gas: last.gasUsed }
  } catch (error) {
    if (isUnsupported(error)) return { status: 'unsupported' }
    throw error
  }
}

function reasonOf(data: Hex, error: Error | undefined): string {
  try {
    const { errorName, args } = decodeErrorResult({ data })
    return errorName === 'Error' ? String(args[0]) : errorName
  } catch {
    // Not one of Solidity's own errors.
    if (data.length >= 10) return data.slice(0, 10)
    return error instanceof BaseError ? error.shortMessage : 'unknown reason'
  }
}

/** JSON-RPC “method not found” and “invalid request”, EIP-1474 “method not supported”. */
const unsupportedCodes = [-32601, -32600, -32004]

function isUnsupported(error: unknown): boolean {
  const cause = error instanceof BaseError && error.walk((it) => it instanceof RpcRequestError)
  return cause instanceof RpcRequestError && unsupportedCodes.includes(cause.code)
}
