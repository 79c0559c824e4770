import { CaipNetworkId } from '@gatefold/protocol'
import type {
  OnrampOptionsResponse,
  OnrampPaymentCurrency,
  OnrampPurchaseCurrency,
} from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import { handleQuery, json, refuse } from '../requests.ts'
import type { OnrampContext } from './createOnramp.ts'
import { ProviderError, type OnrampProvider, type ProviderOptions } from './OnrampProvider.ts'

/**
 * `GET /v1/onramp/options`: the combined offers of the configured providers. A
 * provider that does not respond is omitted; if none responds, the response is
 * a 503.
 *
 * @see docs/contracts/gateway.md#on-ramp; spec §7.8.17
 */
export function getOptions(context: OnrampContext) {
  return handleQuery(context, v.object({}), async () => {
    const all = [...context.onramp.providers.values()]
    const known = await readOptions(context, all)
    if (all.length > 0 && known.length === 0)
      return refuse(
        503,
        { field: 'provider', description: 'no on-ramp provider responded' },
        { 'retry-after': '5' },
      )
    return json({
      ...merge(known.map(({ options }) => options)),
      providers: known.map(({ provider: { id, name } }) => ({ id, name })),
    } satisfies OnrampOptionsResponse)
  })
}

/** The options of the providers that respond. */
export async function readOptions(
  { onramp: { log } }: OnrampContext,
  providers: OnrampProvider[],
): Promise<{ provider: OnrampProvider; options: ProviderOptions }[]> {
  const read = providers.map(async (provider) => {
    try {
      return [{ provider, options: await provider.options() }]
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      log.warn({ err: error }, 'an on-ramp provider has no options')
      return []
    }
  })
  return (await Promise.all(read)).flat()
}

function merge(options: ProviderOptions[]) {
  const payment = new Map<string, OnrampPaymentCurrency>()
  for (const { id, methods } of options.flatMap((it) => it.paymentCurrencies)) {
    const known = payment.get(id) ?? { id, payment_method_limits: [] }
    payment.set(id, known)
    for (const method of methods) {
      const limit = known.payment_method_limits.find((it) => it.id === method.id)
      if (!limit) known.payment_method_limits.push({ ...method })
      else {
        if (Number(method.min) < Number(limit.min)) limit.min = method.min
        if (Number(method.max) > Number(limit.max)) limit.max = method.max
      }
    }
  }
  const purchase = new Map<string, OnrampPurchaseCurrency>()
  for (const { symbol, name, networks } of options.flatMap((it) => it.tokens)) {
    const known = purchase.get(symbol) ?? { id: symbol, name, symbol, networks: [] }
    purchase.set(symbol, known)
    for (const network of networks) {
      const chainId = CaipNetworkId.parse(network.chainId).reference
      if (known.networks.some((it) => it.chain_id === chainId)) continue
      known.networks.push({
        name: network.name,
        display_name: network.displayName,
        chain_id: chainId,
        contract_address: network.contract,
      })
    }
  }
  return {
    paymentCurrencies: [...payment.values()],
    purchaseCurrencies: [...purchase.values()],
  }
}
