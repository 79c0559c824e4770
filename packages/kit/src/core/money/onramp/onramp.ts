import { CaipAddress } from '@gatefold/protocol'
import type {
  OnrampPaymentMethod,
  OnrampOrder as WireOrder,
  OnrampOrderStatus,
  OnrampQuote as WireQuote,
} from '@gatefold/protocol/gateway'

import { getAccount } from '../../connection/account.ts'
import { instanceOf } from '../../kit/Kit.ts'
import type { Kit } from '../../kit/Kit.ts'
import { GatewayError, NotConnectedError } from '../../kit/requestErrors.ts'
import type { Network } from '../../networks/Network.ts'
import { safeHref } from '../../platform/safeHref.ts'
import { add, toUnits } from '../decimal.ts'
import { maxText, requireGateway, textOf } from '../fromGateway.ts'
import { isMoney, looseOf, maxSellerName, maxSellers } from './options.ts'
import type { OnrampToken } from './options.ts'
import { addOrder, readOrders } from './orders.ts'

/** What a visitor wants to buy. */
export type OnrampRequest = {
  /** The token. */
  token: OnrampToken
  /** The currency to pay with, as an ISO 4217 code. */
  currency: string
  /** The payment with all fees, as a decimal number with at most two decimals. */
  amount: string
  /** How to pay. */
  method: OnrampPaymentMethod
}

/** A provider's price. */
export type OnrampQuote = OnrampRequest & {
  /** Identifies the quote in an order, for a minute. */
  id: string
  /** The provider's id. */
  provider: string
  /** The provider's name. */
  providerName: string
  /** The fees of the provider and the network, as a decimal number. They are part of the payment. */
  fee: string
  /**
   * The amount that the account receives, in whole tokens, as a decimal number.
   */
  receives: string
}

/** Why a provider has no quote. */
export type OnrampRefusal = {
  /** The provider's id. */
  provider: string
  /** The gateway's code, such as `amount_out_of_range`. */
  code: string | undefined
  /** The gateway's description, in English. */
  description: string
}

/** The prices of all providers. */
export type OnrampQuotes = {
  /** The quotes, best first. */
  quotes: readonly OnrampQuote[]
  /** Why other providers have no quote. */
  refusals: readonly OnrampRefusal[]
}

/** An order at a provider. */
export type OnrampOrder = {
  /** The gateway's id of the order. Anyone who knows the id can read the order. */
  id: string
  /**
   * `created`: not paid. `pending`: paid, but the tokens have not arrived. `paid`: the tokens have arrived. `failed`: no
   * tokens will arrive. `expired`: not paid in time.
   */
  status: OnrampOrderStatus
  /** Why the order failed, in the provider's words. */
  reason: string | undefined
  /** The provider's name. */
  providerName: string
  /** The receiving account, as a CAIP-10 address. */
  account: string
  /** The network, if the site has configured it. */
  network: Network | undefined
  /** The token's symbol. */
  symbol: string
  /** The currency of the payment, as an ISO 4217 code. */
  currency: string
  /** The payment with all fees, as a decimal number. */
  amount: string
  /** The fees, as a decimal number. */
  fee: string
  /** The quoted amount in whole tokens, as a decimal number. */
  quoted: string
  /**
   * The amount that the account received, in whole tokens, as a decimal number;
   * undefined until it is known.
   */
  received: string | undefined
  /** The hash of the transaction that sent the tokens. */
  hash: string | undefined
  /**
   * The page on which the order is paid. Undefined once the order is paid, and
   * if it is not for a connected account.
   */
  url: string | undefined
  /** When the order was created, as Unix time in ms. */
  createdAt: number
  /** When it last changed, as Unix time in ms. */
  updatedAt: number
}

const statuses = ['created', 'pending', 'paid', 'failed', 'expired'] as const

/** Maximum length of a reason and of a quote's id. */
const maxLength = { reason: 200, quoteId: 2_000 }

/**
 * The providers' prices for a purchase, best first. A quote is valid for a
 * minute.
 *
 * @throws {GatewayError} there is no gateway, or it failed
 * @example
 * const { quotes } = await getOnrampQuotes(kit, { token, currency: 'USD', amount: '250', method: 'card' })
 */
export async function getOnrampQuotes(
  kit: Kit,
  parameters: getOnrampQuotes.Parameters,
): Promise<OnrampQuotes> {
  const { signal, ...request } = parameters
  const { token, currency, amount, method } = request
  const gateway = await requireGateway(kit)
  try {
    const body = await gateway.request('/v1/onramp/quote', {
      body: {
        purchaseCurrency: { symbol: token.symbol },
        paymentCurrency: { id: currency },
        amount,
        network: token.symbol,
        chainId: token.network.caipNetworkId,
        paymentMethod: method,
      },
      signal,
    })
    const all = Array.isArray(body.quotes) ? body.quotes : [body]
    return {
      quotes: all.slice(0, maxSellers).flatMap((quote) => toQuote(quote, request) ?? []),
      refusals: (Array.isArray(body.reasons) ? body.reasons : [])
        .slice(0, maxSellers)
        .map(toRefusal),
    }
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status !== 400) throw error
    const { field, reason: code, shortMessage: description } = error
    return { quotes: [], refusals: [toRefusal({ field, code, description })] }
  }
}

export declare namespace getOnrampQuotes {
  /** What to buy. */
  type Parameters = OnrampRequest & {
    /** Aborts the request. */
    signal?: AbortSignal | undefined
  }
}

/**
 * Creates an order with the terms of a quote, for the active account of the
 * token's chain family. The visitor pays at `url`; `getOnrampOrder` then
 * reports the outcome. The order's id is stored, see `getOnrampOrders`.
 *
 * @throws {NotConnectedError} no wallet is connected to the token's chain family
 * @throws {GatewayError} there is no gateway, it failed, or the quote has expired (`field` is `quoteId`)
 */
export async function createOnrampOrder(
  kit: Kit,
  parameters: createOnrampOrder.Parameters,
): Promise<OnrampOrder & { url: string }> {
  const { quote, returnUrl } = parameters
  const { network } = quote.token
  const account = getAccount(kit.getState(), network.chainNamespace)
  if (!account) throw new NotConnectedError()
  const gateway = await requireGateway(kit)
  const body = await gateway.request('/v1/generators/onrampurl', {
    body: {
      destinationWallets: [{ address: account.address }],
      quoteId: quote.id,
      ...(returnUrl !== undefined && { returnUrl }),
    },
  })
  const order = toOrder(kit, body.order)
  const url = typeof body.url === 'string' ? safeHref(body.url) : undefined
  const receiver = CaipAddress.format(network.caipNetworkId, account.address)
  if (!url || order.account.toLowerCase() !== receiver.toLowerCase())
    throw new GatewayError('The gateway created an order that differs from the request.')
  addOrder(instanceOf(kit), { id: order.id, account: order.account })
  return { ...order, url }
}

export declare namespace createOnrampOrder {
  /** The terms. */
  type Parameters = {
    /** The quote. */
    quote: OnrampQuote
    /** The page of the site to which the provider's page returns. */
    returnUrl?: string | undefined
  }
}

/**
 * The current state of an order. Only the gateway decides the state; no page
 * and no URL can change it.
 *
 * @throws {GatewayError} there is no gateway, it failed, or (status 404) it has no such order
 */
export async function getOnrampOrder(
  kit: Kit,
  parameters: getOnrampOrder.Parameters,
): Promise<OnrampOrder> {
  const { id, signal } = parameters
  const gateway = await requireGateway(kit)
  const body = await gateway.request(`/v1/onramp/orders/${encodeURIComponent(id)}`, { signal })
  const order = toOrder(kit, body)
  if (order.id !== id) throw new GatewayError('The gateway sent a different order.')
  return order
}

export declare namespace getOnrampOrder {
  /** Which order. */
  type Parameters = {
    /** The order's id. */
    id: string
    /** Aborts the request. */
    signal?: AbortSignal | undefined
  }
}

/**
 * The ids of the orders that were created on this page for the connected accounts, and whose outcome the visitor has not
 * seen, newest first. They survive a reload.
 */
export function getOnrampOrders(kit: Kit): readonly string[] {
  return readOrders(instanceOf(kit)).flatMap(({ id, account }) =>
    isConnectedAccount(kit, account) ? id : [],
  )
}

/**
 * A quote of the response; undefined if it is malformed, or does not match the
 * request.
 */
function toQuote(value: unknown, request: OnrampRequest): OnrampQuote | undefined {
  const quote = looseOf<WireQuote>(value)
  const { quoteId, provider, chainId } = quote
  const total = moneyOf(quote.paymentTotal)
  const receives = moneyOf(quote.purchaseAmount)
  const [fee, networkFee] = [moneyOf(quote.fee), moneyOf(quote.networkFee)]
  const { token, currency, amount } = request
  if (
    typeof quoteId !== 'string' ||
    quoteId.length > maxLength.quoteId ||
    typeof provider !== 'string' ||
    chainId !== token.network.caipNetworkId ||
    receives?.currency !== token.symbol ||
    total?.currency !== currency ||
    !isMoney(total.amount) ||
    cents(total.amount) !== cents(amount)
  )
    return undefined
  return {
    ...request,
    id: quoteId,
    provider,
    providerName: textOf(quote.providerName, maxSellerName) || provider,
    fee: add(fee?.amount ?? '0', networkFee?.amount ?? '0'),
    receives: receives.amount,
  }
}

function toRefusal(value: unknown): OnrampRefusal {
  const { field, code, description } =
    looseOf<Record<'field' | 'code' | 'description', string>>(value)
  return {
    provider: textOf(field, maxSellerName),
    code: typeof code === 'string' ? code : undefined,
    description: textOf(description, maxLength.reason),
  }
}

/** @throws {GatewayError} the order is malformed */
function toOrder(kit: Kit, value: unknown): OnrampOrder {
  const order = looseOf<WireOrder>(value)
  const status = statuses.find((one) => one === order.status)
  const account = CaipAddress.safeParse(order.account)
  const [payment, quoted] = [moneyOf(order.paymentTotal), moneyOf(order.purchaseAmount)]
  if (typeof order.id !== 'string' || !isOrderId(order.id) || !status || !account)
    throw new GatewayError('The gateway sent a malformed order.')
  if (!payment || !quoted || !/^[A-Z]{3}$/.test(payment.currency))
    throw new GatewayError('The gateway sent a malformed order.')
  const caipAddress = order.account as string
  const url = typeof order.url === 'string' ? safeHref(order.url) : undefined
  const { transactionHash: hash } = order
  return {
    id: order.id,
    status,
    reason: textOf(order.reason, maxLength.reason) || undefined,
    providerName: textOf(order.providerName, maxSellerName),
    account: caipAddress,
    network: kit
      .getState()
      .networks.find(({ caipNetworkId }) => caipNetworkId === account.caipNetworkId),
    symbol: textOf(quoted.currency, maxText.symbol),
    currency: payment.currency,
    amount: payment.amount,
    fee: add(moneyOf(order.fee)?.amount ?? '0', moneyOf(order.networkFee)?.amount ?? '0'),
    quoted: quoted.amount,
    received: moneyOf(order.receivedAmount)?.amount,
    hash: textOf(hash, maxLength.reason) || undefined,
    // If a script has stored the id of an order for another account, that order
    // must not be paid.
    url: isConnectedAccount(kit, caipAddress) ? url : undefined,
    createdAt: timeOf(order.createdAt),
    updatedAt: timeOf(order.updatedAt),
  }
}

/** Whether an id can be part of a path. The gateway's ids have 22 characters; those of others may differ. */
export function isOrderId(id: string): boolean {
  return /^[\w-]{8,64}$/.test(id)
}

function isConnectedAccount(kit: Kit, caipAddress: string): boolean {
  const wanted = CaipAddress.safeParse(caipAddress)
  if (!wanted) return false
  const account = getAccount(kit.getState(), wanted.namespace)
  return account?.address.toLowerCase() === wanted.address.toLowerCase()
}

function moneyOf(value: unknown): { amount: string; currency: string } | undefined {
  const { amount, currency } = looseOf<{ amount: string; currency: string }>(value)
  return isDecimal(amount) && typeof currency === 'string' ? { amount, currency } : undefined
}

function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,60}(\.\d{1,60})?$/.test(value)
}

const cents = (amount: string) => toUnits(amount, 2)

function timeOf(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? 0 : time
}
