import { encodePacked, type Address } from 'viem'
import { readContract } from 'viem/actions'
import { keyOf } from '../chainData/ChainData.ts'
import { pairAbi, quoterAbi } from '../evm/abis.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { isRevert } from '../evm/errors.ts'
import type { Pool, Pools } from '../prices/createPools.ts'

/** A path through one or two pools of one version of Uniswap. */
export type Route = {
  tokens: Address[]
  /** The fee of each pool, in millionths. */
  fees: number[]
  /** The pairs of Uniswap v2 on the route; absent if its pools are of v3. */
  pairs?: Address[]
}

export type RouteQuote = {
  route: Route
  /** In the smallest unit of the last token. */
  amountOut: bigint
  /** Estimated gas of the swap in the pools. */
  gas: bigint
  /** Percentage by which the price is worse than that of a thousandth of the amount; `undefined` if unknown. */
  priceImpact: number | undefined
}

/** Output for an amount in, and the gas that it takes. */
type Output = { amountOut: bigint; gas: bigint }

/** The fraction of the amount that is quoted to get the price without impact. */
const probeShare = 1_000n
/** How many pools of each pair a route through two pools may use. */
const poolsPerHop = 2
/** The fee of every pair of Uniswap v2, in millionths. */
const pairFee = 3_000
/** Gas of a swap in a pair of Uniswap v2. */
const pairGas = 80_000n

/**
 * Quotes an amount on every route through one pool, or through two with the wrapped native currency or a dollar token
 * between them. Both pools use the same version of Uniswap.
 *
 * @returns the routes that have enough liquidity, best first.
 */
export async function quoteRoutes(
  pools: Pools,
  chain: EvmChain,
  from: Address,
  to: Address,
  amount: bigint,
): Promise<RouteQuote[]> {
  const routes = await findRoutes(pools, chain, from, to)
  const probe = amount / probeShare
  const quotes = await Promise.all(
    routes.map(async (route) => {
      const [whole, small] = await (route.pairs ? quotePairs : quotePools)(chain, route, [
        amount,
        probe,
      ])
      return whole && { route, ...whole, priceImpact: impactOf(whole, amount, small, probe) }
    }),
  )
  return quotes
    .filter((it) => it !== undefined)
    .filter(({ amountOut }) => amountOut > 0n)
    .toSorted((a, b) => (a.amountOut > b.amountOut ? -1 : a.amountOut < b.amountOut ? 1 : 0))
}

async function findRoutes(
  pools: Pools,
  chain: EvmChain,
  from: Address,
  to: Address,
): Promise<Route[]> {
  const { wrapped, dollars } = chain.data
  const between = [...(wrapped ? [wrapped] : []), ...dollars].filter(
    (token) => keyOf(token) !== keyOf(from) && keyOf(token) !== keyOf(to),
  )
  const find = async (a: Address, b: Address) =>
    Promise.all([pools.find(chain, a, b), pools.findPair(chain, a, b)])
  const [[direct, pair], ...indirect] = await Promise.all([
    find(from, to),
    ...between.map(async (middle) => {
      const [[first, firstPair], [second, secondPair]] = await Promise.all([
        find(from, middle),
        find(middle, to),
      ])
      const tokens = [from, middle, to]
      const routes = likeliest(first).flatMap((a) =>
        likeliest(second).map((b): Route => ({ tokens, fees: [a.fee, b.fee] })),
      )
      return firstPair && secondPair
        ? [...routes, { tokens, fees: [pairFee, pairFee], pairs: [firstPair, secondPair] }]
        : routes
    }),
  ])
  return [
    ...direct.map(({ fee }): Route => ({ tokens: [from, to], fees: [fee] })),
    ...(pair ? [{ tokens: [from, to], fees: [pairFee], pairs: [pair] }] : []),
    ...indirect.flat(),
  ]
}

/** The pools that usually have the most liquidity. Bounds the number of routes, and so the gas of one `eth_call`. */
function likeliest(pools: readonly Pool[]): Pool[] {
  const rank = ({ fee }: Pool) => [500, 3_000, 100, 10_000].indexOf(fee)
  return pools.toSorted((a, b) => rank(a) - rank(b)).slice(0, poolsPerHop)
}

/** Quotes amounts on a route of v3. @returns `undefined` for amounts that exceed the liquidity of its pools. */
async function quotePools(
  chain: EvmChain,
  route: Route,
  amounts: bigint[],
): Promise<(Output | undefined)[]> {
  return Promise.all(amounts.map(async (amount) => quotePool(chain, route, amount)))
}

async function quotePool(
  { client, data }: EvmChain,
  route: Route,
  amount: bigint,
): Promise<Output | undefined> {
  const { uniswap } = data
  if (!uniswap || amount === 0n) return undefined
  try {
    const [amountOut, , , gas] = await readContract(client, {
      address: uniswap.quoter,
      abi: quoterAbi,
      functionName: 'quoteExactInput',
      args: [encodePath(route), amount],
    })
    return { amountOut, gas }
  } catch (error) {
    if (isRevert(error)) return undefined
    throw error
  }
}

/** Quotes amounts on a route of v2, from the reserves of its pairs. */
async function quotePairs(
  { client }: EvmChain,
  { tokens, pairs = [] }: Route,
  amounts: bigint[],
): Promise<(Output | undefined)[]> {
  const reserves = await Promise.all(
    pairs.map(async (address, index) => {
      const [reserve0, reserve1] = await readContract(client, {
        address,
        abi: pairAbi,
        functionName: 'getReserves',
      })
      // The pair's first token has the lower address.
      const isFirst = keyOf(tokens[index]!) < keyOf(tokens[index + 1]!)
      return isFirst ? ([reserve0, reserve1] as const) : ([reserve1, reserve0] as const)
    }),
  )
  return amounts.map((amount) => ({
    amountOut: reserves.reduce((units, [paid, got]) => outputOf(units, paid, got), amount),
    gas: pairGas * BigInt(pairs.length),
  }))
}

/** What a pair returns for an amount: the product of the reserves stays constant, after the fee. */
function outputOf(amount: bigint, paidReserve: bigint, gotReserve: bigint): bigint {
  const afterFee = amount * 997n
  const total = paidReserve * 1_000n + afterFee
  return total === 0n ? 0n : (afterFee * gotReserve) / total
}

/** The path of a route of v3 in the router's format: tokens with the fees of the pools between them. */
export function encodePath({ tokens, fees }: Route): `0x${string}` {
  const parts = tokens.flatMap((token, index) =>
    index === 0 ? [token] : [fees[index - 1]!, token],
  )
  return encodePacked(
    parts.map((_, index) => (index % 2 === 0 ? 'address' : 'uint24')),
    parts,
  )
}

function impactOf(
  whole: { amountOut: bigint },
  amount: bigint,
  small: { amountOut: bigint } | undefined,
  probe: bigint,
): number | undefined {
  if (!small || small.amountOut === 0n) return undefined
  // The output at the price of the small amount. Fees are proportional, so they do not count as impact.
  const unimpeded = (small.amountOut * amount) / probe
  const millionths = ((unimpeded - whole.amountOut) * 1_000_000n) / unimpeded
  return Math.max(0, Number(millionths) / 10_000)
}
