import { limits } from '@gatefold/protocol'
import { nativeTokenAddress, type PricePeriod } from '@gatefold/protocol/gateway'
import type { Address } from 'viem'
import { keyOf, type Token } from '../chainData/ChainData.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import type { Tokens } from '../tokens.ts'
import type { Pools } from './createPools.ts'
import { createPriceCache } from './createPriceCache.ts'
import { isSampled, type Samples } from './createSamples.ts'
import { periods, type PricePoint, type PriceSource } from './PriceSource.ts'
import { readAverage, readWindow, type PoolAverage } from './readAverage.ts'

/** A pool of a token and another token whose price is known. */
type Market = { pool: Address; quote: Address; from: Token; to: Token }

/**
 * Derives prices from the pools of Uniswap v3 on the token's chain: averages
 * over time, from the deepest pool with the wrapped native currency or with a
 * token that counts as one dollar. Prices of listed tokens are sampled for
 * their history, because a pool's oracle covers only its last trades.
 *
 * @see docs/prices/pools.md
 */
export function createPoolSource(services: {
  pools: Pools
  tokens: Tokens
  samples: Samples
  now: () => number
}): PriceSource {
  const { now, pools, samples, tokens } = services

  const findPrice = createPriceCache(now, async (chain, token) => {
    if (isDollar(chain, token)) return { price: 1, isComplete: true }
    const { deepest, isComplete } = await findDeepest(chain, token)
    // Otherwise, after a trade in the deepest pool, a shallower pool would
    // determine the price.
    if (deepest && isComplete) samples.add(chain, token, deepest.price)
    return { price: deepest?.price, isComplete }
  })

  /** @returns also whether every pool of the token had an average. */
  async function findDeepest(chain: EvmChain, token: Address) {
    const found = await Promise.all(
      quotesOf(chain, token).map(async (quote) => compare(chain, token, quote)),
    )
    const averages = found.flat()
    const [deepest] = averages
      .filter((average) => average !== undefined)
      .filter(({ depth }) => depth >= limits.priceDepthDollars)
      .toSorted((a, b) => b.depth - a.depth)
    return { deepest, isComplete: !averages.includes(undefined) }
  }

  /** The averages of a token's pools with one other token, in dollars. `undefined` for those without an average. */
  async function compare(chain: EvmChain, token: Address, quote: Address) {
    const [averages, quotePrice, from, to] = await Promise.all([
      readAverages(chain, token, quote),
      find(chain, quote),
      tokens.find(chain, token),
      tokens.find(chain, quote),
    ])
    if (!from || !to) return []
    return averages.map(({ pool, average }) => {
      if (!average || quotePrice === undefined) return undefined
      const market: Market = { pool, quote, from, to }
      return { ...toDollars(market, average, quotePrice), market }
    })
  }

  async function readAverages(chain: EvmChain, token: Address, quote: Address) {
    const candidates = await pools.find(chain, token, quote)
    return Promise.all(
      candidates.map(async ({ address }) => ({
        pool: address,
        average: await readAverage(chain, address, token, quote),
      })),
    )
  }

  async function find(chain: EvmChain, address: Address): Promise<number | undefined> {
    const token = toToken(chain, address)
    return token && findPrice(chain, token)
  }

  /**
   * Prices in the steps of a period, by the start of the step: samples,
   * otherwise the observations of the deepest pool's oracle.
   */
  async function readSteps(
    chain: EvmChain,
    token: Address,
    period: PricePeriod,
  ): Promise<Map<number, PricePoint>> {
    const { lengthMs, stepMs } = periods[period]
    const end = Math.floor(now() / stepMs) * stepMs
    const steps = Array.from(
      { length: lengthMs / stepMs },
      (_, index) => end - (index + 1) * stepMs,
    )
    if (isDollar(chain, token)) return new Map(steps.map((at) => [at, [at + stepMs / 2, 1]]))
    const [known, { deepest }] = await Promise.all([
      isSampled(chain, token) ? samples.list(chain, token, period) : new Map<number, PricePoint>(),
      findDeepest(chain, token),
    ])
    const unknown = steps.filter((at) => !known.has(at))
    if (!deepest || unknown.length === 0) return known
    const { market } = deepest
    const quoteSteps = await readSteps(chain, market.quote, period)
    const read = await Promise.all(
      unknown.map(async (at): Promise<[number, PricePoint][]> => {
        const quotePrice = quoteSteps.get(at)?.[1]
        if (quotePrice === undefined) return []
        const window = [at, at + stepMs].map((time) => Math.round((now() - time) / 1_000))
        const average = await readWindow(chain, market.pool, token, market.quote, [
          window[0]!,
          window[1]!,
        ])
        if (!average) return []
        const { price, depth } = toDollars(market, average, quotePrice)
        return depth < limits.priceDepthDollars ? [] : [[at, [at + stepMs / 2, price]]]
      }),
    )
    return new Map([...known, ...read.flat()])
  }

  return {
    isVendor: false,
    find,
    async history(chain, address, period) {
      const token = toToken(chain, address)
      // A token that counts as one dollar has no price history.
      if (!token || isDollar(chain, token)) return []
      const steps = await readSteps(chain, token, period)
      return [...steps.values()].toSorted(([a], [b]) => a - b)
    },
    prepare(chain, addresses) {
      for (const address of addresses)
        if (!isDollar(chain, address))
          for (const quote of quotesOf(chain, address))
            pools.find(chain, address, quote).catch(() => {}) // `find` reports the error
    },
  }
}

/** @param quotePrice - of the other token, in dollars. */
function toDollars({ from, to }: Market, { price, depth }: PoolAverage, quotePrice: number) {
  return {
    price: price * 10 ** (from.decimals - to.decimals) * quotePrice,
    depth: (depth / 10 ** to.decimals) * quotePrice,
  }
}

/** The token whose pools determine the price. */
function toToken({ data }: EvmChain, address: Address): Address | undefined {
  return keyOf(address) === nativeTokenAddress ? data.wrapped : address
}

function isDollar({ data }: EvmChain, token: Address): boolean {
  return data.dollars.some((dollar) => keyOf(dollar) === keyOf(token))
}

/**
 * The tokens whose pools with a token are read. Empty if no token of the chain
 * has a known price.
 */
function quotesOf({ data }: EvmChain, token: Address): Address[] {
  const { dollars, wrapped } = data
  if (dollars.length === 0) return []
  return wrapped && keyOf(wrapped) !== keyOf(token) ? [wrapped, ...dollars] : dollars
}
