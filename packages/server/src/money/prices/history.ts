import { PriceHistoryQuery, type PriceHistoryResponse } from '@gatefold/protocol/gateway'
import type { MoneyContext } from '../context.ts'
import { handleQuery, json, requireChain, requireCurrency } from '../requests.ts'

/**
 * `GET /v1/fungible/history`: the price of a token over a day, a week or a month. The whole history is converted with
 * the current exchange rate. Without a history, `points` is empty.
 *
 * @see docs/prices/README.md#history
 */
export function getPriceHistory(context: MoneyContext) {
  const { prices, rates } = context
  return handleQuery(context, PriceHistoryQuery, async ({ address: token, currency, period }) => {
    requireCurrency(context, currency)
    const chain = requireChain(context, token.caipNetworkId, 'address')
    const [points, rate] = await Promise.all([
      prices.history(chain, token.address, period),
      rates.find(currency),
    ])
    const body: PriceHistoryResponse = {
      currency,
      points: rate === undefined ? [] : points.map(([at, price]) => [at, price * rate]),
    }
    return json(body)
  })
}
