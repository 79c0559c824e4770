import { setTimeout as wait } from 'node:timers/promises'
import type { Address } from 'viem'
import { trader } from './accounts.ts'
import { addresses } from './addresses.ts'
import { createNode, type Node } from './createNode.ts'
import {
  confirm,
  fundTrader,
  poolAbi,
  pools,
  rememberTrades,
  routerAbi,
  type Pool,
} from './pools.ts'
import { createRandom } from './random.ts'
import type { Chain } from './startChain.ts'

/** Pause between two steps on a chain that people look at, in ms. */
export const pricePauseMs = 10_000

/** Standard deviation of a step, in the logarithm of the price. */
const stepSize = { usdc: 0.003, book: 0.006 }
/** The share of the distance to the first price that a price moves back in each step. */
const pull = 0.02
/** Largest distance from the first price, as a logarithm: about 28 %. The pools' liquidity ends at 50 %. */
const furthest = 0.25
/**
 * More than any step costs; the router takes only what is needed to reach the
 * price limit.
 */
const amountIn = { weth: 10n ** 21n, usdc: 10n ** 13n, book: 10n ** 25n }

/**
 * Trades in the Uniswap pools of a local chain, so that prices move: a seeded random walk that stays within 28 % of the
 * price at the start. Both USDC pools follow the same price. Only the trader's account trades, so no other balance
 * changes.
 *
 * @returns the number of steps taken
 * @throws if the chain does not respond or a trade fails
 * @example
 * await movePrices(chain, { steps: 60, seed: 7, blockSeconds: 30 })
 */
export async function movePrices(
  chain: Pick<Chain, 'url'>,
  options: movePrices.Options,
): Promise<{ steps: number }> {
  const { steps, seed = 1, blockSeconds, pauseMs = 0, signal } = options
  const node = createNode(chain.url)
  const random = createRandom(seed)
  await rememberTrades(node)
  await fundTrader(node)
  const first = await Promise.all(pools.map((pool) => readPrice(node, pool)))
  // The logarithms of the prices of one ether, relative to the first ones.
  const walk = { usdc: 0, book: 0 }
  const isStopped = () => signal?.aborted ?? false
  let taken = 0
  while (taken < steps && !isStopped()) {
    for (const token of ['usdc', 'book'] as const) {
      const next = walk[token] * (1 - pull) + random.normal() * stepSize[token]
      walk[token] = Math.max(-furthest, Math.min(furthest, next))
    }
    if (blockSeconds !== undefined) await node.increaseTime({ seconds: blockSeconds })
    for (const [index, pool] of pools.entries())
      await moveTo(node, pool, priceAt(pool, first[index]!, walk[nameOf(pool)]))
    taken += 1
    if (pauseMs > 0) await wait(pauseMs, undefined, { signal }).catch(() => {})
  }
  return { steps: taken }
}

export declare namespace movePrices {
  type Options = {
    /** Number of steps; each is a trade in every pool. `Infinity` trades until `signal` aborts. */
    steps: number
    /** The same seed yields the same prices on a new chain. @default 1 */
    seed?: number
    /** Time on the chain between two steps, in seconds. By default, the time that passes. */
    blockSeconds?: number
    /** Pause between two steps, in ms. @default 0 */
    pauseMs?: number
    /** Stops before the next step. */
    signal?: AbortSignal
  }
}

/** Trades until the price of the pool is `target`. */
async function moveTo(node: Node, pool: Pool, target: bigint): Promise<void> {
  const price = await readPrice(node, pool)
  if (price === target) return
  const { weth } = addresses
  const token0 = isFirst(weth, pool.token) ? weth : pool.token
  const token1 = token0 === weth ? pool.token : weth
  // The price of the first token is in units of the second one, so paying the first token lowers it.
  const [tokenIn, tokenOut] = target < price ? [token0, token1] : [token1, token0]
  const hash = await node.writeContract({
    account: trader.address,
    chain: null,
    address: addresses.uniswapV3SwapRouter02,
    abi: routerAbi,
    functionName: 'exactInputSingle',
    args: [
      {
        tokenIn,
        tokenOut,
        fee: pool.fee,
        recipient: trader.address,
        amountIn: amountIn[tokenIn === weth ? 'weth' : nameOf(pool)],
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: target,
      },
    ],
    gas: 3_000_000n,
  })
  await confirm(node, hash)
}

/** The square root of a pool's price, in units of 2^-96. */
async function readPrice(node: Node, { address }: Pool): Promise<bigint> {
  const [root] = await node.readContract({ address, abi: poolAbi, functionName: 'slot0' })
  return root
}

/** The square root of the price at a distance from another one. */
function priceAt(pool: Pool, first: bigint, distance: number): bigint {
  // The random walk gives the price of ether. The pool's price is that of its
  // first token.
  const sign = isFirst(addresses.weth, pool.token) ? 1 : -1
  const factor = BigInt(Math.round(Math.exp((sign * distance) / 2) * 2 ** 40))
  return (first * factor) >> 40n
}

function isFirst(a: Address, b: Address): boolean {
  return a.toLowerCase() < b.toLowerCase()
}

function nameOf({ token }: Pool): 'usdc' | 'book' {
  return token === addresses.usdc ? 'usdc' : 'book'
}
