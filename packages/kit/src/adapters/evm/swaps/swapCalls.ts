import { readOneInchSwap, readZeroExSwap, type AggregatorSwap } from '@gatefold/protocol/gateway'
import {
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  ethAddress,
  isAddressEqual,
  parseAbi,
} from 'viem'
import type { Address, Hex } from 'viem'

import type { Capabilities, SwapCall } from '../../../core/connection/Adapter.ts'
import type { Evm } from '../context.ts'
import { isKnown, isSettler } from './swapContracts.ts'

/** The functions of Uniswap's SwapRouter02 that a gateway may call. */
const routerAbi = parseAbi([
  'struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(ExactInputParams params) payable returns (uint256 amountOut)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256 amountOut)',
  'function selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) payable',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
])

/** The recipient that means the router itself. @see SwapRouter02, `Constants.ADDRESS_THIS` */
const routerItself = '0x0000000000000000000000000000000000000002'

type Read = Capabilities['swaps']

/** A decoded swap, and whether its contracts are allowed. */
type Found = Omit<SwapCall, 'isKnown'> & { isKnown: boolean | Promise<boolean> }

/**
 * Decodes an ERC-20 approval.
 *
 * @returns undefined for any other call data, and if there are bytes after the
 *   arguments
 */
export async function readApproval(
  evm: Evm,
  { data, network }: Parameters<Read['readApproval']>[0],
): ReturnType<Read['readApproval']> {
  try {
    const call = decodeFunctionData({ abi: erc20Abi, data })
    if (call.functionName !== 'approve') return undefined
    if (encodeFunctionData({ abi: erc20Abi, ...call }) !== data.toLowerCase()) return undefined
    const [spender, amount] = call.args
    return { spender, amount, isKnown: isKnown(evm, network, spender) }
  } catch {
    return undefined
  }
}

/**
 * Decodes a swap through Uniswap, 0x or 1inch.
 *
 * @returns undefined for any other call data
 * @throws {TransactionError} 0x's contracts could not be checked
 */
export async function readSwap(
  evm: Evm,
  { network, ...call }: Parameters<Read['readSwap']>[0],
): ReturnType<Read['readSwap']> {
  const to = call.to as Address
  const contracts: Contracts = {
    isKnown: () => isKnown(evm, network, to),
    isSettler: (settler) => isSettler(evm, network, settler),
  }
  let found: Found | undefined
  for (const read of [readUniswap, readZeroEx, readOneInch]) {
    try {
      found ??= read({ ...call, to }, contracts)
    } catch {
      // Not a call to these contracts.
    }
  }
  return found && { ...found, isKnown: await found.isKnown }
}

type Call = { to: Address; data: Hex; value: bigint }

type Contracts = { isKnown: () => boolean; isSettler: (settler: Address) => Promise<boolean> }

/**
 * Decodes a swap through Uniswap's SwapRouter02: `multicall` with one
 * `exactInput` (Uniswap v3) or `swapExactTokensForTokens` (v2), optionally a
 * permit before it, and, for the native currency, `unwrapWETH9` after it.
 *
 * @throws for any other call data
 */
function readUniswap({ data }: Call, contracts: Contracts): Found | undefined {
  const outer = decodeFunctionData({ abi: routerAbi, data })
  if (outer.functionName !== 'multicall') return undefined
  const [deadline, calls] = outer.args
  const permit = readPermit(calls[0])
  const [first, second, ...rest] = permit ? calls.slice(1) : calls
  if (!first || rest.length > 0) return undefined
  const { recipient, minimum: received, ...ends } = readInput(first)
  const common = { ...ends, deadline, permit, isKnown: contracts.isKnown() }
  if (!second) return { ...common, recipient, minimum: received, isNative: false }
  const unwrap = decodeFunctionData({ abi: routerAbi, data: second })
  if (unwrap.functionName !== 'unwrapWETH9') return undefined
  if (!isAddressEqual(recipient, routerItself)) return undefined
  const [minimum, receiver] = unwrap.args
  return { ...common, recipient: receiver, minimum, isNative: true }
}

/** Decodes a swap of 0x. */
function readZeroEx(call: Call, contracts: Contracts): Found | undefined {
  const swap = readZeroExSwap(call)
  if (!swap) return undefined
  const { settler, holder, ...read } = swap
  return toFound(read, (!holder || contracts.isKnown()) && contracts.isSettler(settler))
}

/** Decodes a swap of 1inch. */
function readOneInch(call: Call, contracts: Contracts): Found | undefined {
  const swap = readOneInchSwap(call)
  return swap && toFound(swap, contracts.isKnown())
}

function toFound(swap: AggregatorSwap, isKnown: Found['isKnown']): Found {
  const isNative = isAddressEqual(swap.get, ethAddress)
  return { ...swap, isNative, deadline: undefined, isKnown }
}

/**
 * Decodes the permit in a call; undefined for another call. @throws if the call
 * is not a function of the router
 */
function readPermit(data: Hex | undefined) {
  if (!data) return undefined
  const { functionName, args } = decodeFunctionData({ abi: routerAbi, data })
  if (functionName !== 'selfPermitIfNecessary') return undefined
  const [token, amount, deadline] = args
  return { token, amount, deadline }
}

/** Decodes the swapping call. @throws for any other call */
function readInput(data: Hex) {
  const { functionName, args } = decodeFunctionData({ abi: routerAbi, data })
  switch (functionName) {
    case 'exactInput': {
      const [{ path, recipient, amountIn, amountOutMinimum }] = args
      return { ...endsOf(path), amount: amountIn, minimum: amountOutMinimum, recipient }
    }
    case 'swapExactTokensForTokens': {
      const [amount, minimum, path, recipient] = args
      const [pay, get] = [path[0], path.at(-1)]
      if (path.length < 2 || !pay || !get) throw new Error('not a path')
      return { pay, get, amount, minimum, recipient }
    }
    default:
      throw new Error('not a swap')
  }
}

/** The first and last token of a path: addresses of 20 bytes with a fee of 3 bytes between them. */
function endsOf(path: Hex): { pay: Address; get: Address } {
  const digits = path.slice(2)
  if (digits.length < 86 || (digits.length - 40) % 46 !== 0) throw new Error('not a path')
  return { pay: `0x${digits.slice(0, 40)}`, get: `0x${digits.slice(-40)}` }
}
