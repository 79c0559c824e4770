import { limits } from '@gatefold/protocol'
import { nativeTokenAddress } from '@gatefold/protocol/gateway'
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import { keyOf } from '../chainData/ChainData.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import type { Tokens } from '../tokens.ts'
import type { Pools } from './createPools.ts'
import { readAverage } from './readAverage.ts'

/** How many prices are remembered. */
const rememberedPrices = 10_000
/** For how long an earlier price stands in for one that cannot be read. */
const oldestPriceMs = 10 * 60_000

export type Prices = {
  /**
   * The price of one whole token in US dollars; `undefined` if no pool is deep enough, or if those that are have just
   * traded and no earlier price is known.
   *
   * @param address - a token, or {@link nativeTokenAddress}.
   * @throws if the chain cannot be read and no earlier price is known.
   */
  find(chain: EvmChain, address: Address): Promise<number | undefined>
  /** Looks up the pools of tokens with one call, ahead of their first price; by default of the chain's list. */
  prepare(chain: EvmChain, tokens?: readonly Address[]): void
}

type Dated = { price: number | undefined; at: number }

/**
 * Derives prices from the pools of Uniswap v3 on the token's chain: averages over time, from the deepest pool with the
 * wrapped native currency or with a token that counts as one dollar.
 *
 * @see docs/gateway.md#prices
 */
export function createPrices(services: {
  pools: Pools
  tokens: Tokens
  now: () => number
}): Prices {
  const { now, pools, tokens } = services
  const prices = new LRUCache<string, Dated, [EvmChain, Address]>({
    max: rememberedPrices,
    ttl: limits.priceCacheMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (_key, earlier, { context }) => {
      const isUsable = earlier?.price !== undefined && now() - earlier.at <= oldestPriceMs
      try {
        const { price, isComplete } = await derive(...context)
        // Otherwise a trade in the deepest pool would make a shallower one decide.
        return isUsable && !isComplete ? earlier : { price, at: now() }
      } catch (error) {
        if (isUsable) return earlier
        throw error
      }
    },
  })

  /** @returns also whether every pool of the token had an average. */
  async function derive(
    chain: EvmChain,
    token: Address,
  ): Promise<{ price: number | undefined; isComplete: boolean }> {
    if (isDollar(chain, token)) return { price: 1, isComplete: true }
    const found = await Promise.all(
      quotesOf(chain, token).map(async (quote) => compare(chain, token, quote)),
    )
    const averages = found.flat()
    const [deepest] = averages
      .filter((average) => average !== undefined)
      .filter(({ depth }) => depth >= limits.priceDepthDollars)
      .toSorted((a, b) => b.depth - a.depth)
    return { price: deepest?.price, isComplete: !averages.includes(undefined) }
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
    return averages.map((average) =>
      average && quotePrice !== undefined
        ? {
            price: average.price * 10 ** (from.decimals - to.decimals) * quotePrice,
            depth: (average.depth / 10 ** to.decimals) * quotePrice,
          }
        : undefined,
    )
  }

  async function readAverages(chain: EvmChain, token: Address, quote: Address) {
    const candidates = await pools.find(chain, token, quote)
    return Promise.all(candidates.map(({ address }) => readAverage(chain, address, token, quote)))
  }

  async function find(chain: EvmChain, address: Address): Promise<number | undefined> {
    const token = keyOf(address) === nativeTokenAddress ? chain.data.wrapped : address
    if (!token) return undefined
    const key = `${chain.id}:${keyOf(token)}`
    return (await prices.fetch(key, { context: [chain, token] }))?.price
  }

  return {
    find,
    prepare(chain, addresses = chain.data.tokens.map(({ address }) => address)) {
      for (const address of addresses)
        if (!isDollar(chain, address))
          for (const quote of quotesOf(chain, address))
            pools.find(chain, address, quote).catch(() => {}) // `find` reports the error
    },
  }
}

function isDollar({ data }: EvmChain, token: Address): boolean {
  return data.dollars.some((dollar) => keyOf(dollar) === keyOf(token))
}

/** The tokens whose pools with a token are read. None if no token of the chain has a known price. */
function quotesOf({ data }: EvmChain, token: Address): Address[] {
  const { dollars, wrapped } = data
  if (dollars.length === 0) return []
  return wrapped && keyOf(wrapped) !== keyOf(token) ? [wrapped, ...dollars] : dollars
}
