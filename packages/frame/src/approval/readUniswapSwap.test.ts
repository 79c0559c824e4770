import { concat, encodeFunctionData, maxUint256, parseAbi, type Address, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { readUniswapSwap } from './readUniswapSwap.ts'

const from: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const router: Address = '0x13766f114e9d7fE79EAa8fB981e056Ed299d2289'
const wrapped: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const coin: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const middle: Address = '0x976EA74026E726554dB657fA54763abd0C3a0aa9'
/** Recipients with a meaning of their own in SwapRouter02. */
const caller = '0x0000000000000000000000000000000000000001'
const routerItself = '0x0000000000000000000000000000000000000002'

const abi = parseAbi([
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
  'function sweepToken(address token, uint256 amountMinimum, address recipient)',
  'function selfPermit(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function refundETH()',
])

const read = (data: Hex, value = 0n) => readUniswapSwap({ value, data }, from, { router, wrapped })

/** A path of pools of v3. */
const path = (...tokens: Address[]) =>
  concat(tokens.flatMap((token, index) => (index === 0 ? [token] : ['0x000bb8' as const, token])))

type Exact = { recipient?: Address; pays?: bigint; gets?: bigint; tokens?: Address[] }
const exactInput = ({ recipient = from, pays = 50n, gets = 40n, tokens = [] }: Exact = {}) =>
  encodeFunctionData({
    abi,
    functionName: 'exactInput',
    args: [
      {
        path: path(...(tokens.length > 0 ? tokens : [coin, middle, wrapped])),
        recipient,
        amountIn: pays,
        amountOutMinimum: gets,
      },
    ],
  })
const single = (limit: bigint) => ({
  tokenIn: coin,
  tokenOut: wrapped,
  fee: 500,
  recipient: from,
  sqrtPriceLimitX96: limit,
})
const unwrap = (minimum = 39n, recipient: Address = from) =>
  encodeFunctionData({ abi, functionName: 'unwrapWETH9', args: [minimum, recipient] })
const sweep = (token: Address) =>
  encodeFunctionData({ abi, functionName: 'sweepToken', args: [token, 39n, other] })
const word = `0x${'ab'.repeat(32)}` as const
const permit = encodeFunctionData({
  abi,
  functionName: 'selfPermit',
  args: [coin, 50n, 1n, 27, word, word],
})
const refund = encodeFunctionData({ abi, functionName: 'refundETH' })
const multicall = (...calls: Hex[]) =>
  encodeFunctionData({ abi, functionName: 'multicall', args: [1_800_000_000n, calls] })

type Swap = NonNullable<ReturnType<typeof readUniswapSwap>>
const swap: Swap = {
  pay: coin,
  most: 50n,
  get: wrapped,
  least: 40n,
  isExact: true,
  receiver: from,
}
const expectSwap = (data: Hex, value: bigint, expected: Swap) =>
  expect(read(data, value)).toEqual(expected)

describe('a swap', () => {
  it.each<[string, Hex, Partial<Swap>]>([
    ['through pools of v3', exactInput(), {}],
    [
      'through one pool of v3',
      encodeFunctionData({
        abi,
        functionName: 'exactInputSingle',
        args: [{ ...single(0n), amountIn: 50n, amountOutMinimum: 40n }],
      }),
      {},
    ],
    [
      'that stops at a price',
      encodeFunctionData({
        abi,
        functionName: 'exactInputSingle',
        args: [{ ...single(7n), amountIn: 50n, amountOutMinimum: 40n }],
      }),
      { isExact: false },
    ],
    [
      'through pairs of v2',
      encodeFunctionData({
        abi,
        functionName: 'swapExactTokensForTokens',
        args: [50n, 40n, [coin, middle, wrapped], from],
      }),
      {},
    ],
    [
      'for an exact amount, through pairs of v2',
      encodeFunctionData({
        abi,
        functionName: 'swapTokensForExactTokens',
        args: [40n, 50n, [coin, wrapped], from],
      }),
      { isExact: false },
    ],
    [
      'for an exact amount, through pools of v3 in the reverse order',
      encodeFunctionData({
        abi,
        functionName: 'exactOutput',
        args: [
          {
            path: path(wrapped, middle, coin),
            recipient: from,
            amountOut: 40n,
            amountInMaximum: 50n,
          },
        ],
      }),
      { isExact: false },
    ],
    [
      'for an exact amount, through one pool of v3',
      encodeFunctionData({
        abi,
        functionName: 'exactOutputSingle',
        args: [{ ...single(0n), amountOut: 40n, amountInMaximum: 50n }],
      }),
      { isExact: false },
    ],
    [
      'for an exact amount that stops at a price, and may return nothing',
      encodeFunctionData({
        abi,
        functionName: 'exactOutputSingle',
        args: [{ ...single(7n), amountOut: 40n, amountInMaximum: 50n }],
      }),
      { isExact: false, least: 0n },
    ],
    ['to the caller', exactInput({ recipient: caller }), {}],
    ['to another account', exactInput({ recipient: other }), { receiver: other }],
    ['with a deadline', multicall(exactInput()), {}],
    [
      'without a deadline',
      encodeFunctionData({ abi, functionName: 'multicall', args: [[exactInput()]] }),
      {},
    ],
    [
      'after a block',
      encodeFunctionData({ abi, functionName: 'multicall', args: [word, [exactInput()]] }),
      {},
    ],
    ['with a permit', multicall(permit, exactInput()), {}],
  ])('%s', (_, data, change) => expectSwap(data, 0n, { ...swap, ...change }))

  it('for the native currency has the minimum and the receiver of its payout', () => {
    const inner = exactInput({ recipient: routerItself })
    expectSwap(multicall(inner, unwrap()), 0n, { ...swap, get: undefined, least: 39n })
    const toCaller = encodeFunctionData({ abi, functionName: 'unwrapWETH9', args: [39n] })
    expectSwap(multicall(inner, toCaller), 0n, { ...swap, get: undefined, least: 39n })
    const elsewhere = multicall(permit, inner, unwrap(39n, other))
    expectSwap(elsewhere, 0n, { ...swap, get: undefined, least: 39n, receiver: other })
  })

  it('that the router pays out has the minimum and the receiver of the payout', () => {
    const data = multicall(exactInput({ recipient: routerItself }), sweep(wrapped))
    expectSwap(data, 0n, { ...swap, least: 39n, receiver: other })
  })

  it('of the native currency pays the value', () => {
    const data = exactInput({ tokens: [wrapped, coin] })
    const paid = { ...swap, pay: undefined, get: coin }
    expectSwap(data, 50n, paid)
    expectSwap(multicall(data, refund), 60n, { ...paid, most: 60n })
    expectSwap(data, 0n, { ...paid, pay: wrapped })
  })
})

describe('attack: not read as a swap', () => {
  const native = exactInput({ tokens: [wrapped, coin] })
  it.each<[string, Hex, bigint?]>([
    ['nothing', '0x'],
    ['another function', '0x6d8800aa'],
    ['a truncated call', exactInput().slice(0, -128) as Hex],
    ['no call', multicall()],
    ['two swaps', multicall(exactInput(), exactInput())],
    ['a call within a call', multicall(multicall(exactInput()))],
    ['a path that ends within a token', exactInput({ tokens: [coin, '0x12'] })],
    ['whatever the router holds', exactInput({ pays: 0n })],
    ['an unlimited amount', exactInput({ pays: maxUint256 })],
    ['coins that stay in the router', exactInput({ recipient: routerItself })],
    ['a payout of other coins', multicall(exactInput({ recipient: routerItself }), sweep(middle))],
    [
      'a payout of the native currency after a swap for a token',
      multicall(exactInput({ recipient: routerItself, tokens: [wrapped, coin] }), unwrap()),
    ],
    ['a second payout', multicall(exactInput(), unwrap())],
    ['a value that does not cover the amount, which is then taken in tokens', native, 49n],
    ['a value besides tokens', exactInput(), 50n],
    ['a refund before the swap, which is then paid with tokens', multicall(refund, native), 50n],
    ['a permit, which another contract can use to take the value', multicall(permit, native), 50n],
  ])('%s', (_, data, value) => expect(read(data, value)).toBeUndefined())
})
