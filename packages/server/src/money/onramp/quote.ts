import { limits } from '@gatefold/protocol'
import {
  OnrampQuoteBody,
  type OnrampPaymentMethod,
  type OnrampQuote,
  type OnrampQuoteResponse,
  type Reason,
} from '@gatefold/protocol/gateway'
import { charge } from '../../http/access.ts'
import { handleBody, json, refuse, RefusedError } from '../requests.ts'
import { fromCents, toCents } from './amounts.ts'
import type { OnrampContext } from './createOnramp.ts'
import {
  ProviderError,
  type OnrampNetwork,
  type OnrampProvider,
  type ProviderOptions,
} from './OnrampProvider.ts'
import { readOptions } from './options.ts'
import { sealTerms, type Terms } from './quoteIds.ts'

/** Maximum size of a request for a quote, in bytes. Official clients send whole currencies with all their networks. */
const maxBodyBytes = 64 * 1024

/**
 * `POST /v1/onramp/quote`: queries the providers in parallel, and returns the
 * best quote and all quotes. A quote is valid for a minute; its id contains its
 * terms.
 *
 * @see docs/contracts/gateway.md#on-ramp; spec §7.8.18
 */
export function postQuote(context: OnrampContext) {
  return handleBody(context, OnrampQuoteBody, maxBodyBytes, async (body, c, project) => {
    const wish: Wish = {
      symbol: body.purchaseCurrency.symbol,
      chainId: body.chainId,
      paymentCurrency: body.paymentCurrency.id,
      method: body.paymentMethod,
      amount: body.amount,
    }
    const providers = selectProviders(context, body.provider)
    const cost = providers.reduce((sum, { quoteCost }) => sum + quoteCost, 0)
    const limited = cost > 0 ? charge(context, c, project, cost) : undefined
    if (limited) return limited
    const { quotes, reasons, isDown } = await findQuotes(context, providers, wish)
    const [best] = quotes
    if (!best) return isDown ? refuse(503, reasons, { 'retry-after': '5' }) : refuse(400, reasons)
    return json({
      ...best.quote,
      quotes: quotes.map(({ quote }) => quote),
      reasons,
    } satisfies OnrampQuoteResponse)
  })
}

/** The purchase that a visitor requests. */
export type Wish = {
  symbol: string | undefined
  chainId: string | undefined
  /** The name of a network, as official clients send it. */
  networkName?: string | undefined
  paymentCurrency: string
  method: OnrampPaymentMethod
  /** A decimal number, as text. */
  amount: string
}

/** @throws {RefusedError} if there is no such provider. */
export function selectProviders(
  { onramp: { providers } }: OnrampContext,
  id: string | undefined,
): OnrampProvider[] {
  const selected = [...providers.values()].filter((provider) => !id || provider.id === id)
  if (selected.length > 0) return selected
  const names = [...providers.keys()].join(', ')
  throw new RefusedError(
    'provider',
    names
      ? `there is no on-ramp provider ${id}; providers: ${names}`
      : 'this server has no on-ramp provider',
  )
}

/**
 * Requests quotes from providers, best quote first. `isDown` is true if at
 * least one provider did not respond.
 */
export async function findQuotes(
  context: OnrampContext,
  providers: OnrampProvider[],
  wish: Wish,
): Promise<{
  quotes: { quote: OnrampQuote; terms: Terms; network: OnrampNetwork }[]
  reasons: Reason[]
  isDown: boolean
}> {
  const { log, key } = context.onramp
  const known = await readOptions(context, providers)
  const secret = await key()
  const expiresAt = context.now() + limits.onrampQuoteMs
  let isDown = known.length < providers.length
  const noResponse = ({ id, name }: OnrampProvider): Reason => ({
    field: id,
    description: `${name} did not respond`,
    code: 'provider_down',
  })
  const reasons = providers
    .filter((provider) => !known.some((it) => it.provider === provider))
    .map(noResponse)

  const asked = known.map(async ({ provider, options }) => {
    try {
      const { network, symbol } = findNetwork(provider, options, wish)
      checkAmount(provider, options, wish)
      const { paymentCurrency, method } = wish
      const amount = fromCents(toCents(wish.amount))
      const found = await provider.quote({ symbol, network, paymentCurrency, amount, method })
      const terms: Terms = {
        provider: provider.id,
        chainId: network.chainId,
        symbol,
        paymentCurrency,
        method,
        paymentTotal: amount,
        ...found,
        expiresAt,
      }
      return [{ terms, network, quote: toQuote(provider, terms, sealTerms(terms, secret)) }]
    } catch (error) {
      if (error instanceof RefusedError)
        reasons.push({
          field: provider.id,
          description: error.message,
          ...(error.code && { code: error.code }),
        })
      else if (error instanceof ProviderError) {
        isDown = true
        log.warn({ err: error }, 'an on-ramp provider has no quote')
        reasons.push(noResponse(provider))
      } else throw error
      return []
    }
  })
  const quotes = (await Promise.all(asked))
    .flat()
    .toSorted((a, b) => Number(b.terms.purchaseAmount) - Number(a.terms.purchaseAmount))
  return { quotes, reasons, isDown }
}

function toQuote(provider: OnrampProvider, terms: Terms, quoteId: string): OnrampQuote {
  const money = (amount: string) => ({ amount, currency: terms.paymentCurrency })
  const subtotal = toCents(terms.paymentTotal) - toCents(terms.fee) - toCents(terms.networkFee)
  return {
    quoteId,
    provider: provider.id,
    providerName: provider.name,
    paymentTotal: money(terms.paymentTotal),
    paymentSubtotal: money(fromCents(subtotal)),
    fee: money(terms.fee),
    networkFee: money(terms.networkFee),
    purchaseAmount: { amount: terms.purchaseAmount, currency: terms.symbol },
    chainId: terms.chainId,
    expiresAt: new Date(terms.expiresAt).toISOString(),
  }
}

/** @throws {RefusedError} if the provider does not sell the token, or not on the network. */
export function findNetwork(
  { name }: OnrampProvider,
  { tokens }: ProviderOptions,
  { symbol, chainId, networkName }: Wish,
): { network: OnrampNetwork; symbol: string } {
  const fits = (network: OnrampNetwork) =>
    (!chainId || network.chainId === chainId) &&
    (!networkName ||
      [network.name, network.displayName, network.chainId].some(
        (it) => it.toLowerCase() === networkName.toLowerCase(),
      ))
  const sold = tokens.filter((token) => !symbol || token.symbol === symbol)
  for (const token of sold) {
    const network = token.networks.find(fits)
    if (network) return { network, symbol: token.symbol }
  }
  const what = symbol ? symbol.slice(0, 20) : 'tokens'
  const where = (chainId ?? networkName)?.slice(0, 50)
  throw new RefusedError(
    'purchaseCurrency',
    where && sold.length > 0
      ? `${name} does not sell ${what} on ${where}`
      : `${name} does not sell ${what}`,
    'token_not_sold',
  )
}

function checkAmount(
  { name }: OnrampProvider,
  { paymentCurrencies }: ProviderOptions,
  { paymentCurrency, method, amount }: Wish,
) {
  const limit = paymentCurrencies
    .find(({ id }) => id === paymentCurrency)
    ?.methods.find(({ id }) => id === method)
  const way = method === 'card' ? 'by card' : 'from a bank account'
  if (!limit)
    throw new RefusedError(
      'paymentCurrency',
      `${name} takes no ${paymentCurrency} ${way}`,
      'currency_not_taken',
    )
  if (Number(amount) < Number(limit.min) || Number(amount) > Number(limit.max))
    throw new RefusedError(
      'amount',
      `${name} takes from ${limit.min} to ${limit.max} ${paymentCurrency} ${way}`,
      'amount_out_of_range',
    )
}
