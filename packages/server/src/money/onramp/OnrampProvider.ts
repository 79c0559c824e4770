import type { OnrampOrderStatus, OnrampPaymentMethod } from '@gatefold/protocol/gateway'
import type { StoredOrder } from '../../storage/onramp.ts'

/** A network on which a provider delivers a token. */
export type OnrampNetwork = {
  /** CAIP-2 id. */
  chainId: string
  /** The provider's name for the network, such as `ethereum-mainnet`. */
  name: string
  displayName: string
  /** Address of the token; empty for the native currency. */
  contract: string
}

/** The tokens that a provider sells, and the currencies that it accepts. */
export type ProviderOptions = {
  paymentCurrencies: {
    /** ISO 4217. */
    id: string
    /** `min` and `max` are decimal numbers, as text. */
    methods: { id: OnrampPaymentMethod; min: string; max: string }[]
  }[]
  tokens: { symbol: string; name: string; networks: OnrampNetwork[] }[]
}

export type QuoteRequest = {
  symbol: string
  network: OnrampNetwork
  /** ISO 4217. */
  paymentCurrency: string
  /**
   * The amount that the visitor pays, including all fees: a decimal number, as
   * text.
   */
  amount: string
  method: OnrampPaymentMethod
}

/** Decimal numbers, as text. `fee` and `networkFee` are part of the payment. */
export type ProviderQuote = { fee: string; networkFee: string; purchaseAmount: string }

export type UrlRequest = {
  order: StoredOrder
  network: OnrampNetwork
  method: OnrampPaymentMethod
  /** The client's IP address; for IPv6, the first address of its /64 network. */
  clientAddress: string
  /** The origin under which the client reaches this server. */
  origin: string
}

/** A provider's status of an order. */
export type StatusUpdate = {
  status: Exclude<OnrampOrderStatus, 'created' | 'expired'>
  /** Why the order failed. */
  reason?: string | undefined
  /** A decimal number, as text. */
  receivedAmount?: string | undefined
  transactionHash?: string | undefined
}

export type WebhookRequest = {
  header: (name: string) => string | undefined
  /** The body's bytes, exactly as received. */
  body: Uint8Array
  /** Unix time in ms. */
  now: number
}

/** A webhook with a valid signature and time. */
export type WebhookEvent = {
  /** Unique among the provider's webhooks. */
  id: string
  /** The order that changed; `undefined` if the webhook is about something else. */
  orderId: string | undefined
  /** The provider's id for the order, if it is known only from webhooks. */
  reference?: string | undefined
}

/**
 * A company that sells tokens. Visitors pay on its page; the server gets the outcome
 * from webhooks or requests it.
 *
 * @see docs/onramp/writing-a-provider.md
 */
export type OnrampProvider = {
  /** Lower-case letters; part of URLs. */
  id: string
  /** Shown to visitors. */
  name: string
  /**
   * Cost of a quote in rate-limit tokens, in addition to the cost of the
   * request.
   */
  quoteCost: number
  options(): Promise<ProviderOptions>
  /**
   * @throws {RefusedError} if the provider does not sell this.
   * @throws {ProviderError} if the provider does not respond.
   */
  quote(request: QuoteRequest): Promise<ProviderQuote>
  /** Returns the URL of the page on which the visitor pays. @throws as `quote` */
  createUrl(request: UrlRequest): Promise<string>
  /**
   * Requests the status of an order from the provider; `undefined` if the
   * provider does not know the order yet. @throws as `quote`
   */
  readStatus?(order: StoredOrder): Promise<StatusUpdate | undefined>
  /** Checks the signature and the time of a webhook. @throws {WebhookError} */
  readWebhook?(request: WebhookRequest): WebhookEvent
}

/** A provider did not respond, or its response is not as documented. The message contains nothing that the provider sent. */
export class ProviderError extends Error {
  override name = 'ProviderError'
}

/** A webhook that is not from the provider, or is too old. */
export class WebhookError extends Error {
  override name = 'WebhookError'
}
