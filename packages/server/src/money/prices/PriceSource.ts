import type { PricePeriod } from '@gatefold/protocol/gateway'
import type { Address } from 'viem'
import type { EvmChain } from '../evm/createEvmChain.ts'

/** A price at a time: Unix time in ms, and US dollars for one whole token. */
export type PricePoint = [at: number, price: number]

/**
 * A source of prices.
 *
 * @see docs/prices/writing-a-source.md
 */
export type PriceSource = {
  /**
   * Whether the prices come from another service. They are compared with those
   * of the chain's sources that are not vendors.
   */
  isVendor: boolean
  /**
   * The price of one whole token in US dollars; `undefined` if the source knows none.
   *
   * @param address - a token, or `nativeTokenAddress`.
   * @throws {PriceSourceError} or an error of the chain, if the source cannot be read now.
   */
  find(chain: EvmChain, address: Address): Promise<number | undefined>
  /**
   * Earlier prices within a period, oldest first; may be empty. A source whose
   * prices are not market prices has none.
   *
   * @throws as `find`
   */
  history?(chain: EvmChain, address: Address, period: PricePeriod): Promise<PricePoint[]>
  /** Prepares the first prices of tokens, so that they take fewer calls. */
  prepare?(chain: EvmChain, addresses: readonly Address[]): void
}

/** A source did not respond, or not as documented. The message contains nothing that the source sent. */
export class PriceSourceError extends Error {
  override name = 'PriceSourceError'
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How far back each period goes, and the time between its points, in ms. */
export const periods: Record<PricePeriod, { lengthMs: number; stepMs: number }> = {
  day: { lengthMs: day, stepMs: 30 * minute },
  week: { lengthMs: 7 * day, stepMs: 3 * hour },
  month: { lengthMs: 30 * day, stepMs: 15 * hour },
}
