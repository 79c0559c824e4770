import { limits } from '@gatefold/protocol'
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import { keyOf } from '../chainData/ChainData.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'

/** Maximum number of cached prices per source. */
const rememberedPrices = 10_000
/** How long an earlier price is used if the current price cannot be read. */
const oldestPriceMs = 10 * 60_000

type Dated = { price: number | undefined; at: number }

/**
 * Caches the prices of a source. While a price cannot be read, an earlier one is used.
 *
 * @param read - returns a price, and whether an earlier one is preferable.
 * @returns a function that finds a price. It throws if `read` throws and no earlier price is known.
 */
export function createPriceCache(
  now: () => number,
  read: (
    chain: EvmChain,
    token: Address,
  ) => Promise<{ price: number | undefined; isComplete: boolean }>,
): (chain: EvmChain, token: Address) => Promise<number | undefined> {
  const prices = new LRUCache<string, Dated, [EvmChain, Address]>({
    max: rememberedPrices,
    ttl: limits.priceCacheMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (_key, earlier, { context }) => {
      const isUsable = earlier?.price !== undefined && now() - earlier.at <= oldestPriceMs
      try {
        const { price, isComplete } = await read(...context)
        return isUsable && !isComplete ? earlier : { price, at: now() }
      } catch (error) {
        if (isUsable) return earlier
        throw error
      }
    },
  })
  return async (chain, token) => {
    const key = `${chain.id}:${keyOf(token)}`
    return (await prices.fetch(key, { context: [chain, token] }))?.price
  }
}
