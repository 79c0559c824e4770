import { encodeFunctionData, encodePacked, erc20Abi, parseAbi } from 'viem'
import type { Hex } from 'viem'
import { mainnet } from 'viem/chains'
import { describe, expect, test } from 'vitest'

import { toNetwork } from '../../../core/networks/Network.ts'
import type { Evm } from '../context.ts'
import * as swapCalls from './swapCalls.ts'

// Only its options are read, except for the Settlers of 0x.
const evm = { options: {} } as Evm
const network = toNetwork(mainnet)
const uniswap = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
const readApproval = async (data: Hex) => swapCalls.readApproval(evm, { data, network })
const readSwap = async (data: Hex, { to = uniswap, value = 0n, site = evm } = {}) =>
  swapCalls.readSwap(site, { to, data, value, network })

const abi = parseAbi([
  'struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(ExactInputParams params) payable returns (uint256 amountOut)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256 amountOut)',
  'function selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) payable',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function sweepToken(address token, uint256 amountMinimum, address recipient) payable',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
])
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const router = '0x0000000000000000000000000000000000000002'
const path = encodePacked(['address', 'uint24', 'address'], [usdc, 500, weth])

const input = (recipient: Hex = account, route: Hex = path) =>
  encodeFunctionData({
    abi,
    functionName: 'exactInput',
    args: [{ path: route, recipient, amountIn: 5n, amountOutMinimum: 4n }],
  })
const pairs = (recipient: Hex = account, route: Hex[] = [usdc, router, weth]) =>
  encodeFunctionData({
    abi,
    functionName: 'swapExactTokensForTokens',
    args: [5n, 4n, route, recipient],
  })
const permit = encodeFunctionData({
  abi,
  functionName: 'selfPermitIfNecessary',
  args: [usdc, 5n, 8n, 27, `0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`],
})
const unwrap = encodeFunctionData({ abi, functionName: 'unwrapWETH9', args: [3n, account] })
const sweep = encodeFunctionData({ abi, functionName: 'sweepToken', args: [usdc, 0n, account] })
const multicall = (...calls: Hex[]) =>
  encodeFunctionData({ abi, functionName: 'multicall', args: [9n, calls] })
const approve = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'approve',
  args: [weth, 7n],
})
const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [weth, 7n] })

describe('the approval in call data', () => {
  test('has its spender and amount', async () => {
    expect(await readApproval(approve)).toEqual({ spender: weth, amount: 7n, isKnown: false })
  })

  test.each<[string, Hex]>([
    ['a transfer', transfer],
    ['more bytes', `${approve}00`],
    ['fewer bytes', approve.slice(0, -2) as Hex],
    ['no function', '0x'],
    ['a dirty address', approve.replace('0x095ea7b30', '0x095ea7b3f') as Hex],
  ])('error: is not read from %s', async (_, data) => {
    expect(await readApproval(data)).toBeUndefined()
  })
})

describe('the swap in call data', () => {
  test('of a token has both tokens, the amounts and the recipient', async () => {
    expect(await readSwap(multicall(input()))).toEqual({
      pay: usdc.toLowerCase(),
      get: weth.toLowerCase(),
      amount: 5n,
      minimum: 4n,
      recipient: account,
      isNative: false,
      deadline: 9n,
      isKnown: true,
    })
  })

  test('on Uniswap v2 has the same fields', async () => {
    expect(await readSwap(multicall(pairs()))).toEqual({
      pay: usdc,
      get: weth,
      amount: 5n,
      minimum: 4n,
      recipient: account,
      isNative: false,
      deadline: 9n,
      isKnown: true,
    })
    expect(await readSwap(multicall(pairs(router), unwrap))).toMatchObject({
      pay: usdc,
      minimum: 3n,
      recipient: account,
      isNative: true,
    })
  })

  test('with a permit has the token, amount and deadline of the permit', async () => {
    const read = { permit: { token: usdc, amount: 5n, deadline: 8n } }
    expect(await readSwap(multicall(permit, input()))).toMatchObject(read)
    expect(await readSwap(multicall(permit, pairs(router), unwrap))).toMatchObject(read)
  })

  test('for the native currency has the minimum and recipient of the call that unwraps it', async () => {
    expect(await readSwap(multicall(input(router), unwrap))).toMatchObject({
      minimum: 3n,
      recipient: account,
      isNative: true,
    })
  })

  test.each<[string, Hex]>([
    ['a call outside multicall', input()],
    ['an approval', approve],
    ['no call', multicall()],
    ['another second call', multicall(input(router), sweep)],
    ['a third call', multicall(input(router), unwrap, sweep)],
    ['a swap to another account before unwrapping', multicall(input(account), unwrap)],
    ['two permits', multicall(permit, permit, input())],
    ['a permit alone', multicall(permit)],
    ['a permit after the swap', multicall(input(), permit)],
    ['two swaps', multicall(input(), input())],
    ['two swaps on two versions', multicall(input(), pairs())],
    ['a swap to another account before unwrapping, on v2', multicall(pairs(account), unwrap)],
    ['a path of v2 without a pair', multicall(pairs(account, [usdc]))],
    ['an empty path of v2', multicall(pairs(account, []))],
    ['a path without a pool', multicall(input(account, usdc))],
    ['a path that is cut off', multicall(input(account, path.slice(0, -2) as Hex))],
  ])('error: is not read from %s', async (_, data) => {
    expect(await readSwap(data)).toBeUndefined()
  })
})

const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const holder = '0x0000000000001fF3684f28c67538d4D072C22734'
const oneInch = '0x111111125421cA6dc452d289314280a0f8842A65'
const settler = '0xDf31A70a21A1931e02033dBBa7DEaCe6c45cfd0f'
/** A site that lists the Settler among its contracts. */
const site = { options: { swapContracts: { 1: [settler] } } } as unknown as Evm

const zeroExAbi = parseAbi([
  'function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes result)',
  'struct AllowedSlippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function execute(AllowedSlippage slippage, bytes[] actions, bytes32 zidAndAffiliate) payable returns (bool)',
])
const execute = (get: Hex = weth) =>
  encodeFunctionData({
    abi: zeroExAbi,
    functionName: 'execute',
    args: [
      { recipient: account, buyToken: get, minAmountOut: 4n },
      ['0x1234'],
      `0x${'0'.repeat(64)}`,
    ],
  })
const exec = (change: { operator?: Hex; token?: Hex; data?: Hex } = {}) =>
  encodeFunctionData({
    abi: zeroExAbi,
    functionName: 'exec',
    args: [change.operator ?? settler, change.token ?? usdc, 5n, settler, change.data ?? execute()],
  })

describe('the swap of 0x in call data', () => {
  const swap = {
    amount: 5n,
    minimum: 4n,
    recipient: account.toLowerCase(),
    deadline: undefined,
    isKnown: true,
  }

  test('through AllowanceHolder has its tokens, amounts and recipient', async () => {
    expect(await readSwap(exec(), { to: holder, site })).toEqual({
      ...swap,
      pay: usdc.toLowerCase(),
      get: weth.toLowerCase(),
      isNative: false,
    })
    expect(await readSwap(exec({ data: execute(native) }), { to: holder, site })).toMatchObject({
      isNative: true,
    })
  })

  test('of the native currency is read from a call of the Settler', async () => {
    expect(await readSwap(execute(), { to: settler, value: 5n, site })).toEqual({
      ...swap,
      pay: native,
      get: weth.toLowerCase(),
      isNative: false,
    })
  })

  test('of the native currency may also go through AllowanceHolder', async () => {
    const call = { to: holder, value: 5n, site }
    expect(await readSwap(exec({ token: native }), call)).toMatchObject({
      ...swap,
      get: weth.toLowerCase(),
    })
  })

  test('attack: a contract other than AllowanceHolder is not known', async () => {
    expect(await readSwap(exec(), { to: usdc, site })).toMatchObject({ isKnown: false })
  })

  test('attack: a call whose operator is not the Settler is not read, because the operator could take the tokens', async () => {
    expect(await readSwap(exec({ operator: usdc }), { to: holder, site })).toBeUndefined()
  })

  test('attack: a call that pays the native currency and takes a token is not read', async () => {
    expect(await readSwap(exec(), { to: holder, site, value: 5n })).toBeUndefined()
    expect(await readSwap(exec({ token: native }), { to: holder, site })).toBeUndefined()
  })

  test.each<[string, Hex]>([
    ['an approval', approve],
    ['exec in exec', exec({ data: exec() })],
    ['call data that is cut off', exec().slice(0, -64) as Hex],
  ])('error: is not read from %s', async (_, data) => {
    expect(await readSwap(data, { to: holder, site })).toBeUndefined()
  })
})

const oneInchAbi = parseAbi([
  'struct SwapDescription { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
  'function swap(address executor, SwapDescription desc, bytes data) payable returns (uint256 returnAmount, uint256 spentAmount)',
  'function unoswap(uint256 token, uint256 amount, uint256 minReturn, uint256 dex) returns (uint256 returnAmount)',
])
const oneInchSwap = (change: { pay?: Hex; get?: Hex; flags?: bigint } = {}) =>
  encodeFunctionData({
    abi: oneInchAbi,
    functionName: 'swap',
    args: [
      settler,
      {
        srcToken: change.pay ?? usdc,
        dstToken: change.get ?? weth,
        srcReceiver: settler,
        dstReceiver: account,
        amount: 5n,
        minReturnAmount: 4n,
        flags: change.flags ?? 0n,
      },
      '0x12',
    ],
  })

describe('the swap of 1inch in call data', () => {
  test('has its tokens, amounts and recipient', async () => {
    const swap = {
      pay: usdc.toLowerCase(),
      get: weth.toLowerCase(),
      amount: 5n,
      minimum: 4n,
      recipient: account.toLowerCase(),
      isNative: false,
      deadline: undefined,
      isKnown: true,
    }
    expect(await readSwap(oneInchSwap(), { to: oneInch })).toEqual(swap)
    expect(await readSwap(oneInchSwap({ pay: native }), { to: oneInch, value: 5n })).toEqual({
      ...swap,
      pay: native,
    })
    expect(await readSwap(oneInchSwap({ get: native }), { to: oneInch })).toMatchObject({
      isNative: true,
    })
  })

  test('attack: a contract other than the router is not known', async () => {
    expect(await readSwap(oneInchSwap(), { to: settler })).toMatchObject({ isKnown: false })
  })

  test('attack: a partial fill is not read, because the minimum does not apply to it', async () => {
    expect(await readSwap(oneInchSwap({ flags: 1n }), { to: oneInch })).toBeUndefined()
  })

  test('attack: a call that pays the native currency and takes a token is not read', async () => {
    expect(await readSwap(oneInchSwap(), { to: oneInch, value: 5n })).toBeUndefined()
  })

  test('error: is not read from a function for single pools', async () => {
    const data = encodeFunctionData({
      abi: oneInchAbi,
      functionName: 'unoswap',
      args: [1n, 5n, 4n, 1n],
    })
    expect(await readSwap(data, { to: oneInch })).toBeUndefined()
  })
})

describe('the contracts of swaps', () => {
  const own = '0x13766f114e9d7fE79EAa8fB981e056Ed299d2289'
  const named = { options: { swapContracts: { 1: [own] } } } as unknown as Evm
  const approveFor = (spender: Hex) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 7n] })

  test.each([uniswap, holder, oneInch] as const)(
    'of the network are known: %s',
    async (spender) => {
      expect(await readApproval(approveFor(spender))).toMatchObject({ isKnown: true })
    },
  )

  test('that the site names are known on their network only', async () => {
    const read = async (id: number) =>
      swapCalls.readApproval(named, {
        data: approveFor(own),
        network: toNetwork({ ...mainnet, id }),
      })
    expect(await read(1)).toMatchObject({ isKnown: true })
    expect(await read(5)).toMatchObject({ isKnown: false })
  })

  test('attack: an unofficial router that the gateway names is not known', async () => {
    expect(await readSwap(multicall(input()), { to: own })).toMatchObject({ isKnown: false })
    expect(await readApproval(approveFor(own))).toMatchObject({ isKnown: false })
  })
})
