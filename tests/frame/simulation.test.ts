import {
  accounts,
  addresses,
  bookmarksAbi,
  nftAbi,
  startChain,
  usdcAbi,
  wethAbi,
  type Chain,
} from '@gatefold/chain'
import { createTestClient, encodeFunctionData, erc20Abi, http, pad, parseEther } from 'viem'
import { parseAbi, publicActions, toEventSelector, toHex, type Address, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Rpc } from '../../packages/frame/src/rpc/createRpc.ts'
import { simulateChanges } from '../../packages/frame/src/rpc/simulateChanges.ts'

const [{ address: mira }, { address: tomas }] = accounts
const usdc = addresses.usdc.toLowerCase()
const weth = addresses.weth.toLowerCase()

let chain: Chain
let rpc: Rpc
const node = () =>
  createTestClient({ mode: 'anvil', transport: http(chain.url) }).extend(publicActions)

beforeAll(async () => {
  chain = await startChain()
  rpc = (_chainId, method, params) => node().request({ method, params } as never)
})
afterAll(() => chain.stop())

const simulate = (...calls: { to: Address; value?: bigint; data: Hex }[]) =>
  simulateChanges({
    rpc,
    chainId: 'eip155:31337',
    account: mira,
    calls: calls.map((call) => ({ value: 0n, ...call })),
  })

test('ether that is sent', async () => {
  expect(await simulate({ to: tomas, value: 5n, data: '0x' })).toEqual([{ amount: -5n }])
})

test('a token that is sent, in units of its contract', async () => {
  const mint = encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [mira, 700n] })
  const args = [tomas, 200n] as const
  const send = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  expect(
    await simulate({ to: addresses.usdc, data: mint }, { to: addresses.usdc, data: send }),
  ).toEqual([{ contract: usdc, amount: 500n }])
})

test('ether that is wrapped, which emits no Transfer event', async () => {
  const data = encodeFunctionData({ abi: wethAbi, functionName: 'deposit' })
  expect(await simulate({ to: addresses.weth, value: 7n, data })).toEqual([
    { amount: -7n },
    { contract: weth, amount: 7n },
  ])
})

test('a swap of two tokens and ether', async () => {
  const router = parseAbi([
    'struct Parameters { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
    'function exactInputSingle(Parameters parameters) payable returns (uint256)',
  ])
  const value = parseEther('0.01')
  const data = encodeFunctionData({
    abi: router,
    functionName: 'exactInputSingle',
    args: [
      {
        tokenIn: addresses.weth,
        tokenOut: addresses.usdc,
        fee: 500,
        recipient: mira,
        amountIn: value,
        amountOutMinimum: 1n,
        sqrtPriceLimitX96: 0n,
      },
    ],
  })
  const changes = await simulate({ to: addresses.uniswapSwapRouter02, value, data })
  expect(changes).toEqual([
    { amount: -value },
    { contract: usdc, amount: expect.any(BigInt) as bigint },
  ])
  expect(changes![1]!.amount).toBeGreaterThan(0n)
})

test('items of collections, with their ids', async () => {
  const plate = encodeFunctionData({ abi: nftAbi, functionName: 'mint', args: [mira] })
  const bookmark = encodeFunctionData({
    abi: bookmarksAbi,
    functionName: 'mint',
    args: [mira, 3n, 12n],
  })
  expect(
    await simulate({ to: addresses.nft, data: plate }, { to: addresses.bookmarks, data: bookmark }),
  ).toEqual([
    { contract: addresses.nft.toLowerCase(), id: expect.any(BigInt) as bigint, amount: 1n },
    { contract: addresses.bookmarks.toLowerCase(), id: 3n, amount: 12n },
  ])
})

/**
 * Creates a contract that logs a transfer of 1,000 units for every call, and
 * then ends with `end`.
 */
async function createLiar(
  address: Address,
  { from, to, end }: Record<'from' | 'to' | 'end', string>,
) {
  const topics = [
    pad(to as Hex, { size: 32 }),
    pad(from as Hex, { size: 32 }),
    toEventSelector('Transfer(address,address,uint256)'),
  ]
  const pushes = topics.map((topic) => `7f${topic.slice(2)}`).join('')
  await node().setCode({ address, bytecode: `0x6103e8600052${pushes}60206000a3${end}` })
}

/** Bytecode that returns zero, as a balance for example. */
const returnsZero = '60206020f3'

test('attack: a contract that only logs a transfer adds nothing', async () => {
  const liar = '0x00000000000000000000000000000000000c0de1'
  await createLiar(liar, { from: tomas, to: mira, end: returnsZero })
  expect(await simulate({ to: liar, data: '0x' })).toEqual([])
})

test('attack: many worthless tokens do not hide a loss: the changes are unknown', async () => {
  const usdcCall = (data: Hex) => ({ to: addresses.usdc, data })
  const mint = usdcCall(
    encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [mira, 700n] }),
  )
  await node().impersonateAccount({ address: mira })
  await node().sendUnsignedTransaction({ from: mira, ...mint })
  await node().mine({ blocks: 1 })
  const args = [tomas, 700n] as const
  const send = usdcCall(encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }))
  const spam = Array.from({ length: 20 }, (_, index) => pad(toHex(0xc0de00 + index), { size: 20 }))
  for (const token of spam) await createLiar(token, { from: tomas, to: mira, end: returnsZero })
  const [, ...fewer] = spam.map((to) => ({ to, data: '0x' as const }))
  expect(await simulate(...fewer, send)).toEqual([{ contract: usdc, amount: -700n }])
  expect(await simulate(...fewer, { to: spam[0]!, data: '0x' }, send)).toBeUndefined()
})

test('attack: the changes are unknown if the balance of a token that is sent cannot be read', async () => {
  const token = '0x00000000000000000000000000000000000c0de2'
  // Returns nothing.
  await createLiar(token, { from: mira, to: tomas, end: '00' })
  expect(await simulate({ to: token, data: '0x' })).toBeUndefined()
})

test('attack: with many lost items of collections, the changes are unknown', async () => {
  const collection: Address = '0x00000000000000000000000000000000000c0de3'
  const pushes = [
    pad(tomas as Hex, { size: 32 }),
    pad(mira as Hex, { size: 32 }),
    toEventSelector('Transfer(address,address,uint256)'),
  ].map((topic) => `7f${topic.slice(2)}`)
  // Logs that Mira loses the item whose id is the data of the call.
  await node().setCode({
    address: collection,
    bytecode: `0x600035${pushes.join('')}60006000a400`,
  })
  const lose = Array.from({ length: 21 }, (_, id) => ({
    to: collection,
    data: toHex(id, { size: 32 }),
  }))
  expect(await simulate(...lose.slice(1))).toHaveLength(20)
  expect(await simulate(...lose)).toBeUndefined()
})

test('a call that fails has no changes', async () => {
  const args = [tomas, 10n ** 30n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  expect(await simulate({ to: addresses.usdc, data })).toBeUndefined()
})

test('a node that cannot simulate has no changes', async () => {
  rpc = () => Promise.reject(new Error('the method does not exist'))
  expect(await simulate({ to: tomas, value: 5n, data: '0x' })).toBeUndefined()
})
