import { maxUint256, parseAbi, parseUnits, type Address } from 'viem'
import { usdcAbi, wethAbi } from './abis.ts'
import { trader } from './accounts.ts'
import { addresses } from './addresses.ts'
import type { Node } from './createNode.ts'
import { receiptOf } from './receiptOf.ts'

/** The functions of Uniswap v3 pools that are used here. */
export const poolAbi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)',
  'function increaseObservationCardinalityNext(uint16 observationCardinalityNext)',
])

/** The functions of the Uniswap router that are used here. */
export const routerAbi = parseAbi([
  'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Swap params) payable returns (uint256 amountOut)',
])

/** The pools of a local chain; each has WETH as its other token. */
export const pools = [
  { address: addresses.uniswapV3Pool, token: addresses.usdc, fee: 500 },
  { address: addresses.uniswapV3Pool3000, token: addresses.usdc, fee: 3000 },
  { address: addresses.uniswapV3PoolBook, token: addresses.book, fee: 3000 },
] as const

export type Pool = (typeof pools)[number]

/** Number of trades that a pool stores: half an hour with one trade every 10 s. */
const rememberedTrades = 200

/**
 * Makes the pools store many trades, so that they have an average price even
 * while they trade often.
 */
export async function rememberTrades(node: Node): Promise<void> {
  await node.setBalance({ address: trader.address, value: parseUnits('1000000', 18) })
  await node.impersonateAccount(trader)
  // One after the other, because the node assigns the nonces.
  for (const { address } of pools)
    await confirm(
      node,
      await node.writeContract({
        account: trader.address,
        chain: null,
        address,
        abi: poolAbi,
        functionName: 'increaseObservationCardinalityNext',
        args: [rememberedTrades],
        gas: 10_000_000n,
      }),
    )
}

/** Gives the trader the tokens of all pools, and lets the router spend them. */
export async function fundTrader(node: Node): Promise<void> {
  const { address: account } = trader
  await node.setBalance({ address: account, value: parseUnits('1000000', 18) })
  await node.impersonateAccount(trader)
  const send = { account, chain: null } as const
  const mint = async (token: Address, amount: bigint) =>
    node.writeContract({
      ...send,
      address: token,
      abi: usdcAbi,
      functionName: 'mint',
      args: [account, amount],
    })
  const approve = async (token: Address) =>
    node.writeContract({
      ...send,
      address: token,
      abi: usdcAbi,
      functionName: 'approve',
      args: [addresses.uniswapV3SwapRouter02, maxUint256],
    })
  const value = parseUnits('100000', 18)
  const deposit = { address: addresses.weth, abi: wethAbi, functionName: 'deposit', value } as const
  for (const hash of [
    await node.writeContract({ ...send, ...deposit }),
    await mint(addresses.usdc, parseUnits('1000000000', 6)),
    await mint(addresses.book, parseUnits('1000000000', 18)),
    await approve(addresses.weth),
    await approve(addresses.usdc),
    await approve(addresses.book),
  ])
    await confirm(node, hash)
}

/** Waits for a transaction. @throws if it failed */
export async function confirm(node: Node, hash: `0x${string}`): Promise<void> {
  const { status } = await receiptOf(node, hash)
  if (status !== 'success') throw new Error(`Transaction ${hash} failed.`)
}
