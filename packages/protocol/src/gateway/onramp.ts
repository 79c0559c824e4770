import * as v from 'valibot'
import { Caip2 } from './Caip2.ts'
import type { Reason } from './reasons.ts'

/** Payment methods, with the ids that official clients use. */
export const onrampPaymentMethods = ['card', 'ach_bank_account'] as const

export type OnrampPaymentMethod = (typeof onrampPaymentMethods)[number]

const Label = v.pipe(v.string('must be text'), v.minLength(1), v.maxLength(100))

const Provider = v.pipe(v.string(), v.regex(/^[a-z]{1,20}$/, 'must be the id of a provider'))

const PaymentMethod = v.picklist(onrampPaymentMethods, 'must be card or ach_bank_account')

/** ISO 4217. */
const CurrencyCode = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code'))

/** An amount of money. Official clients send a number as text in quotes, and a number in orders. */
const Amount = v.pipe(
  v.union([v.string(), v.number()], 'must be an amount'),
  v.transform(String),
  v.regex(/^\d{1,9}(\.\d{1,2})?$/, 'must be an amount with at most two decimals, such as 250.00'),
)

/**
 * The body of `POST /v1/onramp/quote`. Official clients send whole currencies, and the symbol as `network`.
 *
 * @see spec §7.8.18
 */
export const OnrampQuoteBody = v.object({
  projectId: v.optional(v.string()),
  purchaseCurrency: v.object({ symbol: Label }),
  paymentCurrency: v.object({ id: CurrencyCode }),
  amount: Amount,
  /** The network on which to receive; by default, the currency's first network. */
  chainId: v.optional(Caip2),
  paymentMethod: v.optional(PaymentMethod, 'card'),
  /** Only this provider. */
  provider: v.optional(Provider),
})

export type OnrampQuoteBody = v.InferOutput<typeof OnrampQuoteBody>

/**
 * The body of `POST /v1/generators/onrampurl`. Official clients send `destinationWallets`, `defaultNetwork`,
 * `partnerUserId`, `defaultExperience` and the preset amounts; the other fields are ours.
 *
 * @see spec §7.8.16
 */
export const OnrampUrlBody = v.object({
  projectId: v.optional(v.string()),
  destinationWallets: v.pipe(
    v.array(
      v.object({
        address: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
        blockchains: v.optional(v.pipe(v.array(Label), v.maxLength(100))),
        assets: v.optional(v.pipe(v.array(Label), v.maxLength(100))),
      }),
      'must be a list of wallets',
    ),
    v.minLength(1, 'must not be empty'),
    v.maxLength(20, 'must have at most 20 items'),
  ),
  defaultNetwork: v.optional(Label),
  presetFiatAmount: v.optional(Amount),
  /**
   * The `quoteId` of a quote that is still valid. It determines everything
   * except the receiver.
   */
  quoteId: v.optional(v.pipe(v.string(), v.maxLength(2_000))),
  provider: v.optional(Provider),
  paymentCurrency: v.optional(CurrencyCode, 'USD'),
  paymentMethod: v.optional(PaymentMethod, 'card'),
  chainId: v.optional(Caip2),
  /**
   * Where the provider's page returns to: a page on one of the project's
   * origins.
   */
  returnUrl: v.optional(v.pipe(v.string(), v.maxLength(2_000), v.url('must be a URL'))),
})

export type OnrampUrlBody = v.InferOutput<typeof OnrampUrlBody>

/** A currency to pay with. The names are those of official clients. */
export type OnrampPaymentCurrency = {
  /** ISO 4217. */
  id: string
  /** `min` and `max` are decimal numbers, as text. */
  payment_method_limits: { id: string; min: string; max: string }[]
}

/** A token that can be bought, with the networks on which it can be received. */
export type OnrampPurchaseCurrency = {
  id: string
  name: string
  symbol: string
  networks: {
    name: string
    display_name: string
    /** The reference of the CAIP-2 id. */
    chain_id: string
    /** Empty for a native currency. */
    contract_address: string
  }[]
}

/** The response to `GET /v1/onramp/options`. Official clients ignore `providers`. @see spec §7.8.17 */
export type OnrampOptionsResponse = {
  paymentCurrencies: OnrampPaymentCurrency[]
  purchaseCurrencies: OnrampPurchaseCurrency[]
  providers: { id: string; name: string }[]
}

/** `amount` is a decimal number, as text. */
export type OnrampMoney = { amount: string; currency: string }

export type OnrampQuote = {
  /** Identifies the quote in an order, until `expiresAt`. */
  quoteId: string
  provider: string
  providerName: string
  /** What the visitor pays, with all fees. */
  paymentTotal: OnrampMoney
  /** The payment without fees. */
  paymentSubtotal: OnrampMoney
  /** The provider's fee. */
  fee: OnrampMoney
  networkFee: OnrampMoney
  /** What the visitor receives. */
  purchaseAmount: OnrampMoney
  /** CAIP-2 id of the network on which the tokens are received. */
  chainId: string
  /** ISO 8601. */
  expiresAt: string
}

/** The response to `POST /v1/onramp/quote`: the best quote, and all of them, best first. */
export type OnrampQuoteResponse = OnrampQuote & {
  quotes: OnrampQuote[]
  /** Why providers have no quote; `field` is the provider's id. */
  reasons: Reason[]
}

/**
 * `created`: not paid. `pending`: paid, but the tokens have not arrived. `paid`: the tokens have arrived. `failed`: no
 * tokens will arrive; `reason` says why. `expired`: not paid in time.
 */
export type OnrampOrderStatus = 'created' | 'pending' | 'paid' | 'failed' | 'expired'

/** The response to `GET /v1/onramp/orders/{id}`. */
export type OnrampOrder = {
  /** Unguessable, because anyone who knows the id can read the order. */
  id: string
  status: OnrampOrderStatus
  /** Why the order failed. */
  reason?: string
  provider: string
  providerName: string
  /** CAIP-10 account that receives the tokens. */
  account: string
  paymentTotal: OnrampMoney
  fee: OnrampMoney
  networkFee: OnrampMoney
  /** The quoted amount. */
  purchaseAmount: OnrampMoney
  /** The amount sent to the account; absent until it is known. */
  receivedAmount?: OnrampMoney
  transactionHash?: string
  /** The page on which the order is paid, while it can be paid. */
  url?: string
  /** ISO 8601. */
  createdAt: string
  updatedAt: string
  /** Until when the order can be paid. */
  expiresAt: string
}

/** The response to `POST /v1/generators/onrampurl`. Official clients read `url`. */
export type OnrampUrlResponse = { url: string; order: OnrampOrder }
