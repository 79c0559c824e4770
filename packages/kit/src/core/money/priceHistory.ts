import { limits } from '@gatefold/protocol'

import type { Kit } from '../kit/Kit.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import { servedCurrency } from './currency.ts'
import { caipAddressOf, requireGateway } from './fromGateway.ts'
import type { Token } from './tokens.ts'

/** The period that a price history covers, up to now. */
export type PricePeriod = 'day' | 'week' | 'month'

/** The price of a token over time. */
export type PriceHistory = {
  /** The currency of the prices, as an ISO 4217 code. */
  currency: string
  /**
   * How earlier prices are converted: with the exchange rates of their days, or
   * with today's rate if the gateway has no others. Undefined for US dollars.
   */
  rates: 'daily' | 'current' | undefined
  /** The prices, oldest first, at most `limits.priceHistoryPoints`. Empty if there are none. */
  points: readonly {
    /** Unix time in ms. */
    time: number
    /** The price of a whole token. A number, because it is only drawn and compared. */
    price: number
  }[]
}

/**
 * The price of a token over a period, in the visitor's currency or, if the gateway has no prices in it, in US dollars.
 *
 * @returns undefined if the gateway does not serve price histories
 * @throws {GatewayError} there is no gateway, or it failed
 * @example
 * const { tokens } = await getTokens(kit)
 * const history = await getPriceHistory(kit, { token: tokens[0], period: 'week' })
 */
export async function getPriceHistory(
  kit: Kit,
  parameters: getPriceHistory.Parameters,
): Promise<PriceHistory | undefined> {
  const { token, period, signal } = parameters
  const gateway = await requireGateway(kit)
  const currency = await servedCurrency(kit, parameters.currency)
  const query = { address: caipAddressOf(token), currency: currency.toLowerCase(), period }
  try {
    const body = await gateway.request('/v1/fungible/history', { query, signal })
    if (body.currency !== currency || !Array.isArray(body.points))
      throw new GatewayError('The gateway sent a malformed price history.')
    const rates = body.rates === 'daily' ? 'daily' : 'current'
    return {
      currency,
      rates: currency === 'USD' ? undefined : rates,
      points: readPoints(body.points),
    }
  } catch (error) {
    if (error instanceof GatewayError && error.status === 404) return undefined
    throw error
  }
}

export declare namespace getPriceHistory {
  /** Which prices. */
  type Parameters = {
    /** The token, such as one of `getTokens`. */
    token: Pick<Token, 'network' | 'address'>
    /** The period of the prices. */
    period: PricePeriod
    /** The currency, as an ISO 4217 code; by default the visitor's choice. */
    currency?: string | undefined
    /** Aborts the request. */
    signal?: AbortSignal | undefined
  }
}

/**
 * The valid points, oldest first. Of points with the same time, the first one
 * is kept.
 */
function readPoints(list: readonly unknown[]): PriceHistory['points'] {
  return list
    .slice(0, limits.priceHistoryPoints)
    .flatMap((item) => {
      const [time, price] = Array.isArray(item) ? (item as unknown[]) : []
      return isPositive(time) && isPositive(price) ? { time, price } : []
    })
    .toSorted((a, b) => a.time - b.time)
    .filter(({ time }, index, points) => time !== points[index - 1]?.time)
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}
