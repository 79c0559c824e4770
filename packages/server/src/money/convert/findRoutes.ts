import { encodePacked, type Address } from 'viem'
import { readContract } from 'viem/actions'
import { keyOf } from '../chainData/ChainData.ts'
import { quoterAbi } from '../evm/abis.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { isRevert } from '../evm/errors.ts'
import type { Pool, Pools } from '../prices/createPools.ts'

/** A path through one or two pools. */
export type Route = {
  tokens: Address[]
  /** The fee of each pool, in millionths. */
  fees: number[]
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

/** Part of the amount whose price shows the price without impact. */
const probeShare = 1_000n
/** How many pools of each pair a route through two pools may use. */
const poolsPerHop = 2

/**
 * Quotes an amount on every route through one pool, or through two with the wrapped native currency or a dollar token
 * between them.
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
      const [whole, small] = await Promise.all([
        quote(chain, route, amount),
        probe > 0n ? quote(chain, route, probe) : undefined,
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
  const [direct, ...indirect] = await Promise.all([
    pools.find(chain, from, to),
    ...between.map(async (middle) => {
      const [first, second] = await Promise.all([
        pools.find(chain, from, middle),
        pools.find(chain, middle, to),
      ])
      return likeliest(first).flatMap((a) =>
        likeliest(second).map((b): Route => ({ tokens: [from, middle, to], fees: [a.fee, b.fee] })),
      )
    }),
  ])
  return [
    ...direct.map(({ fee }): Route => ({ tokens: [from, to], fees: [fee] })),
    ...indirect.flat(),
  ]
}

/** The pools that usually have the most liquidity. Bounds the number of routes, and so the gas of one `eth_call`. */
function likeliest(pools: readonly Pool[]): Pool[] {
  const rank = ({ fee }: Pool) => [500, 3_000, 100, 10_000].indexOf(fee)
  return pools.toSorted((a, b) => rank(a) - rank(b)).slice(0, poolsPerHop)
}

/** @returns `undefined` if the route's pools have too little liquidity. */
async function quote({ client, data }: EvmChain, route: Route, amount: bigint) {
  const { uniswap } = data
  if (!uniswap) return undefined
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

/** The path of a route in the router's format: tokens with the fees of the pools between them. */
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
