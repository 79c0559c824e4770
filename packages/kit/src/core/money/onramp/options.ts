import type { OnrampOptionsResponse, OnrampPaymentMethod } from '@gatefold/protocol/gateway'

import type { Kit } from '../../kit/Kit.ts'
import { GatewayError } from '../../kit/requestErrors.ts'
import type { Network } from '../../networks/Network.ts'
import { maxText, requireGateway, textOf } from '../fromGateway.ts'

// A separate module, because the account view needs only the options.

/** A way to pay, with its limits. */
export type OnrampMethod = {
  /** `card`, or `ach_bank_account` for a bank transfer. */
  id: OnrampPaymentMethod
  /** The smallest payment, as a decimal number. */
  min: string
  /** The largest payment, as a decimal number. */
  max: string
}

/** A currency to pay with. */
export type OnrampCurrency = {
  /** The ISO 4217 code, such as `USD`. */
  code: string
  /** The ways to pay; never empty. */
  methods: readonly OnrampMethod[]
}

/** A token that can be bought, on one network. */
export type OnrampToken = {
  /** CAIP-10 address of the token; for the native currency, the network's CAIP-2 id. */
  id: string
  /** The network on which it is received. */
  network: Network
  /** The name. */
  name: string
  /** The symbol, such as `ETH`. */
  symbol: string
}

/** What the on-ramp providers of the gateway sell on the site's networks. */
export type OnrampOptions = {
  /** The currencies to pay with. */
  currencies: readonly OnrampCurrency[]
  /** The tokens, once for each network. */
  tokens: readonly OnrampToken[]
  /** The providers. Empty if the gateway does not list them. */
  providers: readonly OnrampProvider[]
}

/** An on-ramp provider, which sells tokens. */
export type OnrampProvider = {
  /** The provider's id at the gateway. */
  id: string
  /** The name. */
  name: string
}

const methods = ['card', 'ach_bank_account'] as const

/** Maximum number of currencies and of tokens that are read. */
const maxItems = { currencies: 200, tokens: 1_000 }
/** Maximum number of providers, and of their quotes and refusals, that are read. */
export const maxSellers = 50
/** Maximum length of a provider's id and name. */
export const maxSellerName = 40

/**
 * The tokens that can be bought on the site's networks, and the currencies to
 * pay with.
 *
 * @throws {GatewayError} there is no gateway, or it failed
 */
export async function getOnrampOptions(
  kit: Kit,
  parameters: getOnrampOptions.Parameters = {},
): Promise<OnrampOptions> {
  const gateway = await requireGateway(kit)
  const body: Loose<OnrampOptionsResponse> = await gateway.request('/v1/onramp/options', parameters)
  if (!Array.isArray(body.paymentCurrencies) || !Array.isArray(body.purchaseCurrencies))
    throw new GatewayError('The gateway sent malformed on-ramp options.')
  const { networks } = kit.getState()
  const tokens = body.purchaseCurrencies
    .slice(0, maxItems.tokens)
    .flatMap((token) => toTokens(token, networks))
  return {
    currencies: body.paymentCurrencies
      .slice(0, maxItems.currencies)
      .flatMap((currency) => toCurrency(currency) ?? []),
    tokens: [...new Map(tokens.map((token) => [token.id, token])).values()],
    providers: (Array.isArray(body.providers) ? body.providers : [])
      .slice(0, maxSellers)
      .map((provider) => {
        const { id, name } = looseOf<{ id: string; name: string }>(provider)
        return { id: textOf(id, maxSellerName), name: textOf(name, maxSellerName) }
      }),
  }
}

export declare namespace getOnrampOptions {
  /** Parameters of `getOnrampOptions`. */
  type Parameters = {
    /** Aborts the request. */
    signal?: AbortSignal | undefined
  }
}

type Loose<type> = Partial<Record<keyof type, unknown>>

/** The fields of a response, which are not checked yet. */
export function looseOf<type>(value: unknown): Loose<type> {
  return Object(value) as Loose<type>
}

function toCurrency(value: unknown): OnrampCurrency | undefined {
  const { id, payment_method_limits: limits } =
    looseOf<OnrampOptionsResponse['paymentCurrencies'][number]>(value)
  if (typeof id !== 'string' || !/^[A-Z]{3}$/.test(id) || !Array.isArray(limits)) return undefined
  const known = limits.flatMap((limit): OnrampMethod[] => {
    const { id: name, min, max } = looseOf<{ id: string; min: string; max: string }>(limit)
    const method = methods.find((one) => one === name)
    return method && isMoney(min) && isMoney(max) ? [{ id: method, min, max }] : []
  })
  return known.length > 0 ? { code: id, methods: known } : undefined
}

function toTokens(value: unknown, networks: readonly Network[]): OnrampToken[] {
  const token = looseOf<OnrampOptionsResponse['purchaseCurrencies'][number]>(value)
  const symbol = textOf(token.symbol, maxText.symbol)
  if (!symbol || symbol !== token.symbol || !Array.isArray(token.networks)) return []
  const name = textOf(token.name, maxText.name) || symbol
  return token.networks.slice(0, maxItems.tokens).flatMap((item) => {
    const { chain_id: reference, contract_address: contract } = looseOf<{
      chain_id: string
      contract_address: string
    }>(item)
    const network = networks.find(({ id }) => String(id) === reference)
    if (!network || typeof contract !== 'string') return []
    const id = contract ? `${network.caipNetworkId}:${contract}` : network.caipNetworkId
    return [{ id, network, name, symbol }]
  })
}

/** Whether a value is an amount of money with at most two decimals, not counting trailing zeros. */
export function isMoney(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,12}(\.\d{1,2}0*)?$/.test(value)
}
