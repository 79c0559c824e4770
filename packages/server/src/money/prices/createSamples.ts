import { pricePeriods, type PricePeriod } from '@gatefold/protocol/gateway'
import type { Address } from 'viem'
import type { Context } from '../../context.ts'
import { addPriceSamples, deletePriceSamples, listPriceSamples } from '../../storage/prices.ts'
import { findListed, keyOf } from '../chainData/ChainData.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { periods, type PricePoint } from './PriceSource.ts'

export type Samples = {
  /**
   * Stores the current price, unless the current step of each period already
   * has one or the token is not sampled.
   */
  add(chain: EvmChain, token: Address, price: number): void
  /** The samples of a period, by the start of their step. Empty if they cannot be read. */
  list(chain: EvmChain, token: Address, period: PricePeriod): Promise<Map<number, PricePoint>>
  /** Deletes samples that are older than their period. */
  clean(): Promise<void>
  /** Waits until everything added is stored. */
  settle(): Promise<unknown>
}

/**
 * Creates the store of sampled prices: for each token and period, one price in each step of the period.
 *
 * @see docs/adr/0025-samples-of-prices.md
 */
export function createSamples({
  log,
  now,
  storage: { db },
}: Pick<Context, 'log' | 'now' | 'storage'>): Samples {
  /**
   * By token, the step of the shortest period in which a price was last stored.
   * Contains only tokens from the configuration.
   */
  const stored = new Map<string, number>()
  const writes = new Set<Promise<void>>()

  return {
    add(chain, token, price) {
      if (!isSampled(chain, token)) return
      const key = `${chain.id}:${keyOf(token)}`
      const at = now()
      const step = toStep(at, 'day')
      if (stored.get(key) === step) return
      stored.set(key, step)
      const rows = pricePeriods.map((period) => ({
        chain: chain.id,
        token: keyOf(token),
        period,
        step: toStep(at, period),
        at,
        price,
      }))
      const write = addPriceSamples(db, rows).catch((error: unknown) => {
        stored.delete(key)
        log.warn({ err: error }, 'a price cannot be stored')
      })
      writes.add(write)
      void write.finally(() => writes.delete(write))
    },
    async list(chain, token, period) {
      const since = now() - periods[period].lengthMs
      const query = { chain: chain.id, token: keyOf(token), period, since }
      const rows = await listPriceSamples(db, query).catch((error: unknown) => {
        log.warn({ err: error }, 'the history of a price cannot be read')
        return []
      })
      return new Map(rows.map(({ at, price, step }) => [step, [at, price]]))
    },
    async clean() {
      try {
        for (const period of pricePeriods)
          await deletePriceSamples(db, period, now() - periods[period].lengthMs)
      } catch (error) {
        log.warn({ err: error }, 'deleting old prices failed')
      }
    },
    settle: async () => Promise.all(writes),
  }
}

/**
 * Whether the prices of a token are sampled: those in the chain's list and the native currency, so that the
 * configuration limits the size of the table.
 */
export function isSampled({ data }: EvmChain, token: Address): boolean {
  return (
    findListed(data, token) !== undefined ||
    (data.wrapped !== undefined && keyOf(data.wrapped) === keyOf(token))
  )
}

function toStep(at: number, period: PricePeriod): number {
  const { stepMs } = periods[period]
  return Math.floor(at / stepMs) * stepMs
}
