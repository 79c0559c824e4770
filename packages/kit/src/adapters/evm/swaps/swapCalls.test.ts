import { encodeFunctionData, encodePacked, erc20Abi, parseAbi } from 'viem'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'

import { readApproval, readSwap } from './swapCalls.ts'

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
    expect(await readApproval(approve)).toEqual({ spender: weth, amount: 7n })
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
  test('of a token has its ends, amounts and recipient', async () => {
    expect(await readSwap(multicall(input()))).toEqual({
      pay: usdc.toLowerCase(),
      get: weth.toLowerCase(),
      amount: 5n,
      minimum: 4n,
      recipient: account,
      isNative: false,
      deadline: 9n,
    })
  })

  test('on Uniswap v2 has the same', async () => {
    expect(await readSwap(multicall(pairs()))).toEqual({
      pay: usdc,
      get: weth,
      amount: 5n,
      minimum: 4n,
      recipient: account,
      isNative: false,
      deadline: 9n,
    })
    expect(await readSwap(multicall(pairs(router), unwrap))).toMatchObject({
      pay: usdc,
      minimum: 3n,
      recipient: account,
      isNative: true,
    })
  })

  test('with a permit has what it permits', async () => {
    const read = { permit: { token: usdc, amount: 5n, deadline: 8n } }
    expect(await readSwap(multicall(permit, input()))).toMatchObject(read)
    expect(await readSwap(multicall(permit, pairs(router), unwrap))).toMatchObject(read)
  })

  test('for the native currency has the minimum and recipient of the unwrapping', async () => {
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
    ['unwrapping what another account receives', multicall(input(account), unwrap)],
    ['two permits', multicall(permit, permit, input())],
    ['a permit alone', multicall(permit)],
    ['a permit after the swap', multicall(input(), permit)],
    ['two swaps', multicall(input(), input())],
    ['two swaps of two versions', multicall(input(), pairs())],
    ['unwrapping what another account receives on v2', multicall(pairs(account), unwrap)],
    ['a path of v2 without a pair', multicall(pairs(account, [usdc]))],
    ['an empty path of v2', multicall(pairs(account, []))],
    ['a path without a pool', multicall(input(account, usdc))],
    ['a path that is cut off', multicall(input(account, path.slice(0, -2) as Hex))],
  ])('error: is not read from %s', async (_, data) => {
    expect(await readSwap(data)).toBeUndefined()
  })
})
