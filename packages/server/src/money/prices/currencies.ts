import type { CurrenciesResponse } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import type { MoneyContext } from '../context.ts'
import { handleQuery, json } from '../requests.ts'

/** `GET /v1/fungible/currencies`: the currencies in which prices can be requested. */
export function getCurrencies(context: MoneyContext) {
  const body: CurrenciesResponse = { currencies: [...context.rates.currencies] }
  return handleQuery(context, v.object({}), async () => json(body))
}
