import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import { defaultCurrency, isCurrency } from '../kit/preferences.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import { setPreferences } from '../kit/setPreferences.ts'
import { requireGateway } from './fromGateway.ts'

/** Maximum number of currencies that are read from the response; there are fewer than 200. */
const maxCurrencies = 300

/** The responses, by instance. A failed request is not kept. */
const served = new WeakMap<object, Promise<readonly string[]>>()

/**
 * The currencies in which the gateway has prices, as ISO 4217 codes. A gateway
 * that lists none has prices only in US dollars.
 *
 * @throws {GatewayError} there is no gateway, or it failed
 */
export function getCurrencies(kit: Kit): Promise<readonly string[]> {
  const instance = instanceOf(kit)
  const known = served.get(instance)
  if (known) return known
  const loading = load(kit)
  served.set(instance, loading)
  loading.catch(() => served.delete(instance))
  return loading
}

async function load(kit: Kit): Promise<readonly string[]> {
  const gateway = await requireGateway(kit)
  try {
    const { currencies } = await gateway.request('/v1/fungible/currencies')
    const list: unknown[] = Array.isArray(currencies) ? currencies.slice(0, maxCurrencies) : []
    return [...new Set([defaultCurrency, ...list.filter(isCurrency)])]
  } catch (error) {
    if (error instanceof GatewayError && error.status === 404) return [defaultCurrency]
    throw error
  }
}

/** Sets whether tokens with a small value are listed, as the visitor's choice. */
export function setShowsSmall(kit: Kit, showsSmall: boolean): void {
  setPreferences(kit, { showsSmall })
}

/**
 * The currency in which to request prices: `wanted`, or US dollars if the gateway has no prices in it. In that case, the
 * amounts on screen change to US dollars, but the visitor's stored choice stays.
 *
 * @param wanted - by default the visitor's choice
 * @throws {GatewayError} the gateway failed
 */
export async function servedCurrency(kit: Kit, wanted?: string): Promise<string> {
  const currency = wanted ?? kit.getState().preferences.currency
  if (currency === defaultCurrency) return currency
  if ((await getCurrencies(kit)).includes(currency)) return currency
  if (currency === kit.getState().preferences.currency)
    instanceOf(kit).dispatch({
      type: 'preferences.changed',
      preferences: { currency: defaultCurrency },
    })
  return defaultCurrency
}
