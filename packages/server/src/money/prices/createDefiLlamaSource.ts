import { limits } from '@gatefold/protocol'
import { nativeTokenAddress } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import { zeroAddress, type Address } from 'viem'
import { createTokenBuckets } from '../../http/createTokenBuckets.ts'
import { findListed, keyOf } from '../chainData/ChainData.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { createBatch } from './createBatch.ts'
import { createPriceCache } from './createPriceCache.ts'
import { createPriceVendor } from './createPriceVendor.ts'
import { periods, PriceSourceError, type PricePoint, type PriceSource } from './PriceSource.ts'
import type { DefiLlamaSettings } from './settings.ts'

/** Maximum number of tokens in a request, so that the URL stays below 3,000 characters. */
const coinsAtOnce = 50

/** The API's notation of the times between points. @see https://api-docs.defillama.com */
const stepNames = { day: '30m', week: '3h', month: '15h' } as const

/** The vendor also sends names, symbols and decimals, which are ignored. */
const Price = v.pipe(
  v.number(),
  v.check((price) => price > 0 && price <= limits.priceMaxDollars),
)

/** Unix time in seconds. */
const Time = v.pipe(v.number(), v.finite(), v.minValue(0))

/**
 * Each coin is validated separately, so that an invalid one does not affect the
 * others.
 */
const Coins = v.object({ coins: v.record(v.string(), v.unknown()) })

const Current = v.object({
  price: Price,
  timestamp: Time,
  confidence: v.nullish(v.number(), 1),
})

const Chart = v.object({ prices: v.array(v.unknown()) })

const ChartPoint = v.object({ timestamp: Time, price: Price })

/**
 * Reads prices from a service with DefiLlama's coins API. The service learns
 * the tokens, but nothing about the visitor.
 *
 * @see https://api-docs.defillama.com, docs/prices/defillama.md
 */
export function createDefiLlamaSource(
  { chains, url }: DefiLlamaSettings,
  now: () => number,
): PriceSource {
  const request = createPriceVendor('DefiLlama', now)
  const buckets = createTokenBuckets({
    perSecond: limits.priceVendorPerSecond,
    burst: limits.priceVendorBurst,
    now,
  })

  const readListed = createBatch(coinsAtOnce, readCurrent)
  const readUnlisted = createBatch(coinsAtOnce, async (coins) => {
    take('tokens')
    return readCurrent(coins)
  })

  const find = createPriceCache(now, async (chain, address) => {
    const coin = toCoin(chain, address)
    if (coin === undefined) return { price: undefined, isComplete: true }
    const read = isListed(chain, address) ? readListed : readUnlisted
    return { price: await read(coin), isComplete: true }
  })

  /**
   * Clients choose the charts and the tokens outside the lists, so the rate is
   * limited.
   */
  function take(key: 'tokens' | 'charts') {
    if (buckets.take(key) > 0) throw new PriceSourceError('DefiLlama got too many requests')
  }

  async function readCurrent(coins: readonly string[]): Promise<Map<string, number>> {
    const path = `${url}/prices/current/${coins.join(',')}`
    const { coins: found } = await request(path, Coins)
    const prices = new Map<string, number>()
    for (const [coin, facts] of Object.entries(found)) {
      const current = v.safeParse(Current, facts)
      if (!current.success) continue
      const { confidence, price, timestamp } = current.output
      if (confidence < limits.priceConfidenceMin) continue
      if (now() - timestamp * 1_000 > limits.priceAgeMaxMs) continue
      prices.set(coin.toLowerCase(), price)
    }
    return prices
  }

  function toCoin({ id, data }: EvmChain, address: Address): string | undefined {
    const chain = chains[id]
    if (chain === undefined) return undefined
    const token = keyOf(address) === nativeTokenAddress ? (data.wrapped ?? zeroAddress) : address
    return `${chain}:${keyOf(token)}`
  }

  return {
    isVendor: true,
    find,
    async history(chain, address, period) {
      const coin = toCoin(chain, address)
      if (coin === undefined) return []
      take('charts')
      const { lengthMs, stepMs } = periods[period]
      const start = now() - lengthMs
      const query = new URLSearchParams({
        start: String(Math.floor(start / 1_000)),
        span: String(lengthMs / stepMs),
        period: stepNames[period],
      })
      const { coins } = await request(`${url}/chart/${coin}?${query}`, Coins)
      const [, facts] = Object.entries(coins).find(([key]) => key.toLowerCase() === coin) ?? []
      const chart = v.safeParse(Chart, facts)
      return chart.success ? toPoints(chart.output.prices, [start, now()]) : []
    },
  }
}

/** The valid points between two times, oldest first, at most one for each time. */
function toPoints(found: readonly unknown[], [start, end]: [number, number]): PricePoint[] {
  const points = new Map<number, number>()
  for (const facts of found) {
    const point = v.safeParse(ChartPoint, facts)
    if (!point.success) continue
    const at = point.output.timestamp * 1_000
    if (at >= start && at <= end) points.set(at, point.output.price)
  }
  return [...points].toSorted(([a], [b]) => a - b)
}

function isListed({ data }: EvmChain, address: Address): boolean {
  return keyOf(address) === nativeTokenAddress || findListed(data, address) !== undefined
}
