import * as v from 'valibot'
import { safeParse } from '../caip/CaipAddress.ts'
import { Caip2 } from './Caip2.ts'
import type { Reason } from './reasons.ts'
import {
  priceTokens,
  swapDeadlineMaxMinutes,
  swapDeadlineMinutes,
  swapSlippageMaxPercent,
  swapSlippagePercent,
} from '../limits/money.ts'

/** Maximum size of a request body of the account and money routes, in bytes. */
export const maxMoneyBodyBytes = 32 * 1024

const evmAddress = /^0x[0-9a-f]{40}$/i

/** A plain address of an EVM account. */
export const EvmAddress = v.pipe(
  v.string(),
  v.regex(evmAddress, 'must be an EVM address of 20 bytes'),
  v.transform((text) => text as `0x${string}`),
)

/** A token or an account: a CAIP-10 account whose address is an EVM address. */
export const EvmCaipAddress = v.pipe(
  v.string(),
  v.check((text) => {
    const parsed = safeParse(text)
    return parsed?.namespace === 'eip155' && evmAddress.test(parsed.address)
  }, 'must be a CAIP-10 account on an EVM chain'),
  v.transform((text) => {
    const { address, caipNetworkId } = safeParse(text)!
    return { caipNetworkId, address: address as `0x${string}` }
  }),
)

/** An amount in the smallest unit of a token. */
const BaseUnits = v.pipe(
  v.string(),
  v.regex(/^\d{1,78}$/, 'must be a whole number in the smallest unit of the token'),
  v.toBigint(),
  v.check((amount) => amount < 2n ** 256n, 'must be below 2^256'),
)

/** An amount above 0, in the smallest unit of a token. */
const SomeBaseUnits = v.pipe(
  BaseUnits,
  v.check((amount) => amount > 0n, 'must be above 0'),
)

/**
 * An ISO 4217 code in any case; upper case in the output. The server checks
 * whether it supports the currency.
 */
const Currency = v.pipe(v.string('must be text'), v.toUpperCase())

/** The query of `GET /v1/account/{address}/balance`. */
export const BalanceQuery = v.object({
  currency: v.optional(Currency, 'USD'),
  chainId: v.optional(Caip2),
  /** The tokens to read from the chain even if their balances are cached. */
  forceUpdate: v.optional(
    v.pipe(v.string(), v.maxLength(8_000, 'must be at most 8000 characters')),
  ),
})

/** The query of `GET /v1/account/{address}/history`. */
export const HistoryQuery = v.object({
  chainId: Caip2,
  /** The currency of `price` and `value`. Official clients omit it. */
  currency: v.optional(Currency, 'USD'),
  /** `next` of the previous page. */
  cursor: v.optional(v.pipe(v.string(), v.maxLength(2_000, 'must be at most 2000 characters'))),
})

/** The query of `GET /v1/convert/tokens` and of `GET /v1/convert/gas-price`. */
export const ChainQuery = v.object({ chainId: Caip2 })

/** The query of `GET /v1/convert/allowance`. */
export const AllowanceQuery = v.object({
  tokenAddress: EvmCaipAddress,
  userAddress: EvmCaipAddress,
})

/** The query of `GET /v1/convert/build-approve`. Official clients omit `amount`. */
export const ApproveQuery = v.object({
  userAddress: EvmCaipAddress,
  from: EvmCaipAddress,
  to: EvmCaipAddress,
  amount: v.optional(SomeBaseUnits),
})

/** The query of `GET /v1/convert/quotes`. */
export const QuoteQuery = v.object({
  amount: SomeBaseUnits,
  from: EvmCaipAddress,
  to: EvmCaipAddress,
})

export type QuoteQuery = v.InferOutput<typeof QuoteQuery>

/** The body of `POST /v1/convert/build-transaction`. */
export const SwapBody = v.object({
  projectId: v.optional(v.string()),
  amount: SomeBaseUnits,
  from: EvmCaipAddress,
  to: EvmCaipAddress,
  userAddress: EvmCaipAddress,
  eip155: v.optional(
    v.object({
      /** In percent. */
      slippage: v.optional(
        v.pipe(
          v.union([v.number(), v.pipe(v.string(), v.toNumber())], 'must be a percentage'),
          v.minValue(0.01, `must be from 0.01 to ${swapSlippageMaxPercent}`),
          v.maxValue(swapSlippageMaxPercent, `must be from 0.01 to ${swapSlippageMaxPercent}`),
        ),
        swapSlippagePercent,
      ),
      /** How many minutes the transaction is valid. Official clients omit it. */
      deadline: v.optional(
        v.pipe(
          v.number('must be a number of minutes'),
          v.integer('must be a whole number of minutes'),
          v.minValue(1, `must be from 1 to ${swapDeadlineMaxMinutes}`),
          v.maxValue(swapDeadlineMaxMinutes, `must be from 1 to ${swapDeadlineMaxMinutes}`),
        ),
        swapDeadlineMinutes,
      ),
      /**
       * A permit of the token for exactly `amount`, instead of an approval.
       * Official clients omit it.
       */
      permit: v.optional(
        v.object({
          /** In seconds since 1970. */
          deadline: v.pipe(
            v.number('must be a number of seconds'),
            v.integer('must be a whole number of seconds'),
            v.minValue(1, 'must be above 0'),
          ),
          signature: v.pipe(
            v.string(),
            v.regex(/^0x[0-9a-f]{130}$/i, 'must be a signature of 65 bytes'),
            v.transform((text) => text as `0x${string}`),
          ),
        }),
      ),
      /**
       * Whether the account approves exactly `amount` right before, in the same batch of calls (EIP-5792). Official
       * clients omit it.
       */
      withApproval: v.optional(v.boolean('must be true or false'), false),
      /**
       * With `withApproval`: whether the account also sets the allowance to zero before the approval, as some tokens
       * require (`next` in the response of `GET /v1/convert/build-approve`). Official clients omit it.
       */
      withReset: v.optional(v.boolean('must be true or false'), false),
    }),
    {},
  ),
})

/** The body of `POST /v1/sessions/{address}/revoke`. */
export const RevokeBody = v.object({
  projectId: v.optional(v.string()),
  pci: v.string('must be text'),
  signature: v.string('must be text'),
})

/** The body of `POST /v1/fungible/price`. */
export const PriceBody = v.object({
  projectId: v.optional(v.string()),
  currency: v.optional(Currency, 'USD'),
  addresses: v.pipe(
    v.array(EvmCaipAddress, 'must be a list of CAIP-10 token addresses'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(priceTokens, `must have at most ${priceTokens} items`),
  ),
})

/** The periods that a price history can cover, up to now. */
export const pricePeriods = ['day', 'week', 'month'] as const

export type PricePeriod = (typeof pricePeriods)[number]

/** The query of `GET /v1/fungible/history`. */
export const PriceHistoryQuery = v.object({
  address: EvmCaipAddress,
  currency: v.optional(Currency, 'USD'),
  period: v.optional(v.picklist(pricePeriods, 'must be day, week or month'), 'day'),
})

/** A balance. @see spec §3.7 */
export type TokenBalance = {
  name: string
  symbol: string
  chainId: string
  /** CAIP-10; absent for the native currency. */
  address?: string
  /** In the requested currency; absent without a price. */
  value?: number
  /** For one whole token; 0 if unknown. */
  price: number
  quantity: { decimals: string; numeric: string }
  iconUrl: string
  /** Absent for listed tokens. Official clients ignore it. */
  flags?: { is_spam: boolean }
}

/** The response to `GET /v1/account/{address}/balance`. */
export type BalanceResponse = {
  balances: TokenBalance[]
  /** What could not be read in time. Official clients ignore it. */
  missing?: ('balances' | 'prices')[]
}

/** What a transaction did for an account. Official clients show a word and an icon for each of these. */
export type OperationType =
  | 'approve'
  | 'burn'
  | 'cancel'
  | 'deploy'
  | 'deposit'
  | 'execute'
  | 'mint'
  | 'receive'
  | 'send'
  | 'trade'
  | 'withdraw'

/** A transaction of an account. @see spec §3.9.1 */
export type HistoryTransaction = {
  id: string
  metadata: {
    operationType: OperationType
    hash: string
    /** CAIP-2. */
    chain: string
    /** ISO 8601. */
    minedAt: string
    sentFrom: string
    /** The created contract for a deployment. */
    sentTo: string
    status: 'confirmed' | 'failed'
    nonce: number
  }
  /** Never empty, because official clients omit transactions without transfers. */
  transfers: HistoryTransfer[]
}

/** An amount that a transaction moved to or from an account, or approved. */
export type HistoryTransfer = {
  fungible_info?: {
    name: string
    symbol: string
    icon: { url: string }
    /** Official clients ignore it. */
    flags: { is_spam: boolean }
  }
  nft_info?: {
    name: string
    flags: { is_spam: boolean }
    /** CAIP-10. Official clients ignore it. */
    contract: string
    token_id: string
    /**
     * The NFT's picture on the server, in two sizes; absent if there is none
     * and for spam.
     */
    content?: { preview: { url: string }; detail: { url: string } }
  }
  /** Also `self` for an approval. */
  direction: 'in' | 'out' | 'self'
  quantity: { numeric: string }
  /**
   * In the requested currency, at the price and the exchange rate of the
   * transaction's time; absent if either is unknown, and for approvals.
   */
  value?: number
  /**
   * The price of one whole token at the transaction's time, in the requested
   * currency; absent if unknown.
   */
  price?: number
}

/** The response to `GET /v1/account/{address}/history`, newest first. */
export type HistoryResponse = {
  data: HistoryTransaction[]
  /** The cursor of the next page; `null` on the last one. */
  next: string | null
  /** ISO 4217, upper case; that of `price` and `value`. Official clients ignore it. */
  currency: string
  /**
   * The blocks that have been read for the account; absent if none yet, or if another service has indexed the chain.
   * Official clients ignore it.
   */
  indexed?: {
    from: number
    to: number
    /** Whether the server has finished reading the older blocks that it reads for a new account. */
    isComplete: boolean
  }
  /** What could not be read in time: names of tokens, or prices. Official clients ignore it. */
  missing?: ('names' | 'prices')[]
}

/** A token in the response to `GET /v1/convert/tokens`. */
export type ConvertToken = {
  name: string
  symbol: string
  /** CAIP-10. */
  address: string
  decimals: number
  logoUri: string
  /** Whether the token has `permit`. */
  eip2612?: boolean
}

/** The response to `GET /v1/convert/quotes`. Official clients read `toAmount` of the first quote. */
export type QuotesResponse = {
  quotes: {
    id: string
    fromAmount: string
    fromAccount: string
    toAmount: string
    toAccount: string
    /**
     * Percentage by which the quote is worse than the price for a thousandth of
     * the amount or, for a swap vendor, than the tokens' prices; `null` if
     * unknown.
     */
    priceImpact: number | null
    /** The tokens of the route, as CAIP-10 addresses, from `from` to `to`. */
    route: string[]
    /** The sum of the fees of the route's pools, in percent. */
    fee: number
    /** Estimated gas of the swap. */
    gas: string
    /** Whether the transaction fails after the deadline of `POST /v1/convert/build-transaction`. */
    hasDeadline: boolean
    /** ISO 8601. */
    expiresAt: string
  }[]
  /** Why there is no quote. Official clients ignore it. */
  reasons?: Reason[]
}

/** The response to `GET /v1/convert/build-approve`. */
export type ApproveResponse = TransactionResponse & {
  /**
   * The approval, if `tx` sets the allowance to zero first, because the token refuses to change an allowance from one
   * amount to another. The account sends it once `tx` is in a block, or both in one batch (EIP-5792). Absent if the
   * upstream cannot simulate both; the client then repeats the request after `tx`. Official clients ignore it.
   */
  next?: TransactionResponse['tx']
}

/** The response to `POST /v1/convert/build-transaction`; also to `GET /v1/convert/build-approve`. */
export type TransactionResponse = {
  tx: {
    /** CAIP-10. */
    from: string
    /** CAIP-10. */
    to: string
    data: string
    /** In the smallest unit of the native currency. */
    value: string
    eip155: { gas: string; gasPrice: string }
  }
}

/** The response to `GET /v1/convert/gas-price`, in the smallest unit of the native currency. */
export type GasPriceResponse = { standard: string; fast: string; instant: string }

/** The response to `POST /v1/fungible/price`. */
export type PriceResponse = {
  fungibles: {
    address: string
    name: string
    symbol: string
    decimals: number
    iconUrl: string
    /** In the requested currency, for one whole token; 0 if unknown. */
    price: number
  }[]
  /** What could not be read in time. Official clients ignore it. */
  missing?: 'prices'[]
}

/** The response to `GET /v1/fungible/history`. Official clients have no such request. */
export type PriceHistoryResponse = {
  /** ISO 4217, upper case. */
  currency: string
  /**
   * Unix times in ms and prices of one whole token, oldest first; empty if
   * unknown. The last point is the current price.
   */
  points: [at: number, price: number][]
  /**
   * How earlier points are converted: with the exchange rates of their days, or
   * with the current rate if the source has no others. Absent for US dollars.
   */
  rates?: 'daily' | 'current'
}

/** The response to `GET /v1/fungible/currencies`: ISO 4217 codes in upper case, USD first. */
export type CurrenciesResponse = { currencies: string[] }

/** The response to `GET /v1/identity/{address}`. */
export type IdentityResponse = {
  name: string | null
  avatar: string | null
  /**
   * Data that the chain may have but this response lacks: it could not be read
   * in time, or only a client can read it (names with an off-chain lookup,
   * avatars that are not https URLs). Official clients ignore it.
   */
  missing?: ('name' | 'avatar')[]
}
