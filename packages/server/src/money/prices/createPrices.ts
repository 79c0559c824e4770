import { limits } from '@gatefold/protocol'
import { pricePeriods, type PricePeriod } from '@gatefold/protocol/gateway'
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import { runEvery } from '../../runEvery.ts'
import { keyOf } from '../chainData/ChainData.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import type { Samples } from './createSamples.ts'
import { periods, PriceSourceError, type PricePoint, type PriceSource } from './PriceSource.ts'
import type { PriceSettings } from './settings.ts'

/** How many price histories are cached. */
const cachedHistories = 2_000
/** How often the prices of the listed tokens are sampled, and old samples deleted. */
const sampleEveryMs = 15 * 60_000

export type Prices = {
  /**
   * The price of one whole token in US dollars, from the first of the chain's sources that has one; `undefined` if none
   * has.
   *
   * @param address - a token, or `nativeTokenAddress`.
   * @throws if no source has a price and one of them cannot be read, or if a vendor's price is far from another one.
   */
  find(chain: EvmChain, address: Address): Promise<number | undefined>
  /**
   * The price at a time in the last month, with the resolution of the history; `undefined` if it is not known. For a
   * time in the last half hour, the current price.
   *
   * @param at - Unix time in ms.
   * @throws as `find`
   */
  findAt(chain: EvmChain, address: Address, at: number): Promise<number | undefined>
  /**
   * Prices in US dollars over a period, oldest first, with the current price as the last point; empty if unknown.
   *
   * @throws as `find`
   */
  history(chain: EvmChain, address: Address, period: PricePeriod): Promise<PricePoint[]>
  /** Prepares the first prices of tokens, so that they take fewer calls; by default of the chain's list. */
  prepare(chain: EvmChain, tokens?: readonly Address[]): void
  /** Starts to sample the prices of listed tokens. */
  start(): void
  /** Waits until samples are stored. */
  stop(): Promise<void>
}

/**
 * Combines the sources of prices.
 *
 * @see docs/prices/README.md
 */
export function createPrices(services: {
  chains: Iterable<EvmChain>
  order: PriceSettings['chains']
  sources: Record<'pools' | 'quotes', PriceSource> & { defillama?: PriceSource | undefined }
  samples: Samples
  now: () => number
}): Prices {
  const { chains, now, order, samples, sources } = services
  let stopCleaning: (() => void) | undefined
  let sampling: NodeJS.Timeout | undefined

  const histories = new LRUCache<string, PricePoint[], [EvmChain, Address, PricePeriod]>({
    max: cachedHistories,
    ttl: limits.priceHistoryCacheMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (_key, _old, { context }) => readHistory(...context),
  })

  function sourcesOf({ id }: EvmChain): PriceSource[] {
    return (order[id] ?? ['pools']).flatMap((name) => sources[name] ?? [])
  }

  /** The first price, with its source. */
  async function select(chain: EvmChain, address: Address) {
    let failure: { error: unknown } | undefined
    const ordered = sourcesOf(chain)
    for (const [index, source] of ordered.entries()) {
      const price = await source.find(chain, address).catch((error: unknown) => {
        failure ??= { error }
      })
      if (price === undefined) continue
      if (source.isVendor) await compare(price, chain, address, ordered.slice(index + 1))
      return { price, source }
    }
    if (failure) throw failure.error
    return undefined
  }

  /**
   * @throws {PriceSourceError} if a vendor's price is far from that of the next
   * source that is not a vendor.
   */
  async function compare(
    price: number,
    chain: EvmChain,
    address: Address,
    others: readonly PriceSource[],
  ) {
    for (const other of others) {
      if (other.isVendor) continue
      const known = await other.find(chain, address).catch(() => undefined)
      if (known === undefined) continue
      if (Math.max(price / known, known / price) <= limits.priceRatioMax) return
      // Neither price is used, because either may be wrong.
      throw new PriceSourceError('The sources disagree about a price')
    }
  }

  /**
   * The history of the first source that covers at least half of the period,
   * otherwise the longest history.
   */
  async function readHistory(chain: EvmChain, address: Address, period: PricePeriod) {
    const { lengthMs, stepMs } = periods[period]
    let failure: { error: unknown } | undefined
    let longest: PricePoint[] = []
    for (const source of sourcesOf(chain)) {
      const points = await source.history?.(chain, address, period).catch((error: unknown) => {
        failure ??= { error }
      })
      if (points && points.length > longest.length) longest = points
      if (longest.length >= lengthMs / stepMs / 2) break
    }
    if (longest.length === 0 && failure) throw failure.error
    return longest
  }

  /** The history of a period from the sources, cached. */
  async function listHistory(chain: EvmChain, address: Address, period: PricePeriod) {
    const key = `${chain.id}:${keyOf(address)}:${period}`
    return (await histories.fetch(key, { context: [chain, address, period] })) ?? []
  }

  /** Derives the prices of the listed tokens. This also stores them. */
  async function sample() {
    for (const chain of chains) {
      if (!sourcesOf(chain).includes(sources.pools)) continue
      const { tokens, wrapped } = chain.data
      const listed = [...tokens.map(({ address }) => address), ...(wrapped ? [wrapped] : [])]
      await Promise.allSettled(listed.map(async (it) => sources.pools.find(chain, it)))
    }
  }

  return {
    find: async (chain, address) => (await select(chain, address))?.price,
    async findAt(chain, address, at) {
      const age = now() - at
      if (age <= periods.day.stepMs) return (await select(chain, address))?.price
      const period = pricePeriods.find((one) => age < periods[one].lengthMs)
      if (!period) return undefined
      const points = await listHistory(chain, address, period)
      const [time, price] = points.reduce<PricePoint>(
        (nearest, point) => (Math.abs(point[0] - at) < Math.abs(nearest[0] - at) ? point : nearest),
        [Infinity, 0],
      )
      return Math.abs(time - at) <= periods[period].stepMs ? price : undefined
    },
    async history(chain, address, period) {
      const current = await select(chain, address)
      // The operator's quote is not a market price, so it has no history.
      if (!current?.source.history) return []
      const points = await listHistory(chain, address, period)
      const at = now()
      const earlier = points.filter(([time]) => time < at && time >= at - periods[period].lengthMs)
      if (earlier.length === 0) return []
      return [...earlier.slice(1 - limits.pricePoints), [at, current.price]]
    },
    prepare(chain, addresses = chain.data.tokens.map(({ address }) => address)) {
      for (const source of sourcesOf(chain)) source.prepare?.(chain, addresses)
    },
    start() {
      stopCleaning = runEvery(sampleEveryMs, () => samples.clean())
      // Delayed, because the first requests derive the same prices.
      sampling = setInterval(() => void sample(), sampleEveryMs)
    },
    async stop() {
      stopCleaning?.()
      clearInterval(sampling)
      await samples.settle()
    },
  }
}
