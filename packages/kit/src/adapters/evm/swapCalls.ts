import { decodeFunctionData, encodeFunctionData, erc20Abi, isAddressEqual, parseAbi } from 'viem'
import type { Address, Hex } from 'viem'

import type { Capabilities } from '../../core/connection/Adapter.ts'

/** The functions of Uniswap's SwapRouter02 that a gateway may call. */
const routerAbi = parseAbi([
  'struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(ExactInputParams params) payable returns (uint256 amountOut)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
])

/** The recipient that means the router itself. @see SwapRouter02, `Constants.ADDRESS_THIS` */
const routerItself = '0x0000000000000000000000000000000000000002'

type Read = Capabilities['swaps']

/**
 * Reads the call data of an ERC-20 approval.
 *
 * @returns undefined if it is anything else, or has bytes after its arguments
 */
export async function readApproval(data: Hex): ReturnType<Read['readApproval']> {
  try {
    const call = decodeFunctionData({ abi: erc20Abi, data })
    if (call.functionName !== 'approve') return undefined
    if (encodeFunctionData({ abi: erc20Abi, ...call }) !== data.toLowerCase()) return undefined
    const [spender, amount] = call.args
    return { spender, amount }
  } catch {
    return undefined
  }
}

/**
 * Reads the call data of a swap through Uniswap's SwapRouter02: `multicall` with one `exactInput` and, for the native
 * currency, `unwrapWETH9`.
 *
 * @returns undefined if it is anything else
 */
export async function readSwap(data: Hex): ReturnType<Read['readSwap']> {
  try {
    const outer = decodeFunctionData({ abi: routerAbi, data })
    if (outer.functionName !== 'multicall') return undefined
    const [first, second, ...rest] = outer.args[1]
    if (!first || rest.length > 0) return undefined
    const input = decodeFunctionData({ abi: routerAbi, data: first })
    if (input.functionName !== 'exactInput') return undefined
    const [{ path, recipient, amountIn, amountOutMinimum }] = input.args
    const common = { ...endsOf(path), amount: amountIn }
    if (!second) return { ...common, recipient, minimum: amountOutMinimum, isNative: false }
    const unwrap = decodeFunctionData({ abi: routerAbi, data: second })
    if (unwrap.functionName !== 'unwrapWETH9') return undefined
    if (!isAddressEqual(recipient, routerItself)) return undefined
    const [minimum, receiver] = unwrap.args
    return { ...common, recipient: receiver, minimum, isNative: true }
  } catch {
    return undefined
  }
}

/** The first and last token of a path: addresses of 20 bytes with a fee of 3 bytes between them. */
function endsOf(path: Hex): { pay: Address; get: Address } {
  const digits = path.slice(2)
  if (digits.length < 86 || (digits.length - 40) % 46 !== 0) throw new Error('not a path')
  return { pay: `0x${digits.slice(0, 40)}`, get: `0x${digits.slice(-40)}` }
}
