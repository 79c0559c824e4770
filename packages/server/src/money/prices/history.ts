import { PriceHistoryQuery, type PriceHistoryResponse } from '@gatefold/protocol/gateway'
import type { MoneyContext } from '../context.ts'
import { handleQuery, json, requireChain, requireCurrency } from '../requests.ts'
import type { PricePoint } from './PriceSource.ts'

/**
 * `GET /v1/fungible/history`: the price of a token over a day, a week or a
 * month. In another currency, each point is converted with the exchange rate of
 * its day, or all points with the current rate; the response says which.
 * Without a history, `points` is empty.
 *
 * @see docs/prices/README.md#history
 */
export function getPriceHistory(context: MoneyContext) {
  const { prices, rates } = context
  return handleQuery(context, PriceHistoryQuery, async ({ address: token, currency, period }) => {
    requireCurrency(context, currency)
    const chain = requireChain(context, token.caipNetworkId, 'address')
    const [points, rate, rateAt] = await Promise.all([
      prices.history(chain, token.address, period),
      rates.find(currency),
      rates.history(currency),
    ])
    const body: PriceHistoryResponse =
      currency === 'USD' || rate === undefined
        ? { currency, points: rate === undefined ? [] : points }
        : { currency, ...convert(points, rate, rateAt) }
    return json(body)
  })
}

/** Converts prices in dollars. The last one is the current price. */
function convert(
  points: readonly PricePoint[],
  rate: number,
  rateAt: ((at: number) => number | undefined) | undefined,
): Pick<PriceHistoryResponse, 'points' | 'rates'> {
  const daily = points.slice(0, -1).map(([at]) => rateAt?.(at))
  const isDaily = daily.every((one) => one !== undefined) && rateAt !== undefined
  return {
    rates: isDaily ? 'daily' : 'current',
    points: points.map(([at, price], index) => [at, price * ((isDaily && daily[index]) || rate)]),
  }
}
