import {
  decodeFunctionData,
  getAddress,
  isAddressEqual,
  parseAbi,
  type Address,
  type Hex,
} from 'viem'
import type { ChainConfig } from '../config.ts'
import { unlimitedAmount } from './text.ts'

/** A swap, as far as its call data guarantees it. A token is `undefined` if it is the native currency. */
export type Swap = {
  pay: Address | undefined
  /** The maximum amount to pay. */
  most: bigint
  get: Address | undefined
  /** The minimum amount to get; otherwise the swap fails. */
  least: bigint
  /** Whether `most` is the amount to pay, instead of only its limit. */
  isExact: boolean
  /** Who gets it. */
  receiver: Address
}

const routerAbi = parseAbi([
  'struct ExactInput { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'struct ExactInputSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'struct ExactOutput { bytes path; address recipient; uint256 amountOut; uint256 amountInMaximum; }',
  'struct ExactOutputSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }',
  'function multicall(bytes[] calls)',
  'function multicall(uint256 deadline, bytes[] calls)',
  'function multicall(bytes32 previousBlockhash, bytes[] calls)',
  'function exactInput(ExactInput parameters)',
  'function exactInputSingle(ExactInputSingle parameters)',
  'function exactOutput(ExactOutput parameters)',
  'function exactOutputSingle(ExactOutputSingle parameters)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to)',
  'function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to)',
  'function unwrapWETH9(uint256 amountMinimum)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient)',
  'function sweepToken(address token, uint256 amountMinimum)',
  'function sweepToken(address token, uint256 amountMinimum, address recipient)',
  'function selfPermit(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function refundETH()',
])

/** Recipients that mean the caller and the router. @see SwapRouter02, `Constants` */
const caller = '0x0000000000000000000000000000000000000001'
const routerItself = '0x0000000000000000000000000000000000000002'

/**
 * Decodes a swap through Uniswap's SwapRouter02, in pools of v2 or v3: one swapping function, alone or in a
 * `multicall`, optionally with permits before it and the payout or refund after it.
 *
 * @param from - the account that calls
 * @returns `undefined` for any other call
 */
export function readUniswapSwap(
  { data, value }: { data: Hex; value: bigint },
  from: Address,
  { wrapped }: NonNullable<ChainConfig['uniswap']>,
): Swap | undefined {
  try {
    const outer = decode(data)
    const calls = outer.functionName === 'multicall' ? outer.args.at(-1) : [data]
    const decoded = (calls as readonly Hex[]).map(decode)
    const permits = decoded.findIndex((call) => !isPermit(call))
    const isRefunded = decoded.at(-1)?.functionName === 'refundETH'
    const [first, payout, ...rest] = decoded.slice(permits, isRefunded ? -1 : undefined)
    if (!first || rest.length > 0) return undefined
    const swap = readAmounts(first)
    // The router pays with the sent value only if it still has all of it; otherwise it takes tokens.
    const isNative = value > 0n
    if (isNative && (!isAddressEqual(swap.pay, wrapped) || value < swap.most || permits > 0))
      return undefined
    const most = isNative ? value : swap.most
    // An amount of zero means whatever the router holds.
    if (swap.most === 0n || most >= unlimitedAmount) return undefined
    const paid = { pay: isNative ? undefined : swap.pay, most, isExact: swap.isExact }
    if (!isAddressEqual(swap.receiver, routerItself)) {
      if (payout) return undefined
      const receiver = isAddressEqual(swap.receiver, caller) ? from : swap.receiver
      return { ...paid, get: swap.get, least: swap.least, receiver }
    }
    if (payout?.functionName === 'unwrapWETH9') {
      if (!isAddressEqual(swap.get, wrapped)) return undefined
      const [least, receiver = from] = payout.args
      return { ...paid, get: undefined, least, receiver }
    }
    if (payout?.functionName !== 'sweepToken') return undefined
    const [token, least, receiver = from] = payout.args
    return isAddressEqual(token, swap.get) ? { ...paid, get: token, least, receiver } : undefined
  } catch {
    return undefined
  }
}

/** @throws if it is not a function of the router */
function decode(data: Hex) {
  return decodeFunctionData({ abi: routerAbi, data })
}

type RouterCall = ReturnType<typeof decode>

/** Whether a call uses a permit that the account has signed for the router. */
function isPermit({ functionName }: RouterCall): boolean {
  return functionName === 'selfPermit' || functionName === 'selfPermitIfNecessary'
}

/** @throws if it is not a swapping function */
function readAmounts({ functionName, args }: RouterCall) {
  switch (functionName) {
    case 'exactInput': {
      const [{ path, recipient, amountIn, amountOutMinimum }] = args
      const [pay, get] = endsOf(path)
      return toAmounts({ pay, get, most: amountIn, least: amountOutMinimum, recipient }, true)
    }
    case 'exactInputSingle': {
      const [{ tokenIn, tokenOut, recipient, amountIn, amountOutMinimum, sqrtPriceLimitX96 }] = args
      // With a limit, it may pay less.
      return toAmounts(
        { pay: tokenIn, get: tokenOut, most: amountIn, least: amountOutMinimum, recipient },
        sqrtPriceLimitX96 === 0n,
      )
    }
    case 'exactOutput': {
      const [{ path, recipient, amountOut, amountInMaximum }] = args
      // The path is in the reverse order.
      const [get, pay] = endsOf(path)
      return toAmounts({ pay, get, most: amountInMaximum, least: amountOut, recipient }, false)
    }
    case 'exactOutputSingle': {
      const [{ tokenIn, tokenOut, recipient, amountOut, amountInMaximum, sqrtPriceLimitX96 }] = args
      const amounts = { pay: tokenIn, get: tokenOut, most: amountInMaximum, recipient }
      // With a limit, it may get less than the amount.
      return toAmounts({ ...amounts, least: sqrtPriceLimitX96 === 0n ? amountOut : 0n }, false)
    }
    case 'swapExactTokensForTokens': {
      const [most, least, path, recipient] = args
      return toAmounts({ ...tokensOf(path), most, least, recipient }, true)
    }
    case 'swapTokensForExactTokens': {
      const [least, most, path, recipient] = args
      return toAmounts({ ...tokensOf(path), most, least, recipient }, false)
    }
    default:
      throw new Error('not a swap')
  }
}

function toAmounts(
  amounts: { pay: Address; get: Address; most: bigint; least: bigint; recipient: Address },
  isExact: boolean,
) {
  const { recipient, ...rest } = amounts
  return { ...rest, receiver: recipient, isExact }
}

/** The first and last token of a path. @throws if it has fewer than two */
function tokensOf(path: readonly Address[]): { pay: Address; get: Address } {
  const [pay, get] = [path[0], path.at(-1)]
  if (path.length < 2 || !pay || !get) throw new Error('not a path')
  return { pay, get }
}

/**
 * The first and last token of a path of v3: addresses of 20 bytes with a fee of 3 bytes between them. @throws if it is
 * none
 */
function endsOf(path: Hex): [first: Address, last: Address] {
  const digits = path.slice(2)
  if (digits.length < 86 || (digits.length - 40) % 46 !== 0) throw new Error('not a path')
  return [getAddress(`0x${digits.slice(0, 40)}`), getAddress(`0x${digits.slice(-40)}`)]
}
