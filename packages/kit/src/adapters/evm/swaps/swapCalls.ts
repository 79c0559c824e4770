import { decodeFunctionData, encodeFunctionData, erc20Abi, isAddressEqual, parseAbi } from 'viem'
import type { Address, Hex } from 'viem'

import type { Capabilities } from '../../../core/connection/Adapter.ts'

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
 * Reads the call data of a swap through Uniswap's SwapRouter02: `multicall` with one `exactInput` (Uniswap v3) or
 * `swapExactTokensForTokens` (v2), a permit before it, and, for the native currency, `unwrapWETH9` after it.
 *
 * @returns undefined if it is anything else
 */
export async function readSwap(data: Hex): ReturnType<Read['readSwap']> {
  try {
    const outer = decodeFunctionData({ abi: routerAbi, data })
    if (outer.functionName !== 'multicall') return undefined
    const [deadline, calls] = outer.args
    const permit = readPermit(calls[0])
    const [first, second, ...rest] = permit ? calls.slice(1) : calls
    if (!first || rest.length > 0) return undefined
    const { recipient, minimum: received, ...ends } = readInput(first)
    const common = { ...ends, deadline, permit }
    if (!second) return { ...common, recipient, minimum: received, isNative: false }
    const unwrap = decodeFunctionData({ abi: routerAbi, data: second })
    if (unwrap.functionName !== 'unwrapWETH9') return undefined
    if (!isAddressEqual(recipient, routerItself)) return undefined
    const [minimum, receiver] = unwrap.args
    return { ...common, recipient: receiver, minimum, isNative: true }
  } catch {
    return undefined
  }
}

/** Reads the permit in a call; undefined if it is another call. @throws if it is no function of the router */
function readPermit(data: Hex | undefined) {
  if (!data) return undefined
  const { functionName, args } = decodeFunctionData({ abi: routerAbi, data })
  if (functionName !== 'selfPermitIfNecessary') return undefined
  const [token, amount, deadline] = args
  return { token, amount, deadline }
}

/** Reads the call that swaps. @throws if it is another call */
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
