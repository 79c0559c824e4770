/**
 * The body of an HTTP error response, in the format of the public servers. `POST /rpc` of the relay
 * and `GET /health` have other bodies. Official clients read only the HTTP status; the kit also reads the first
 * reason.
 *
 * @see docs/contracts/gateway.md#rules-for-all-endpoints
 */
export type Reasons = { status: 'FAILED'; reasons: Reason[] }

/**
 * One problem with a request: the field, and a description such as the expected value. `code` identifies the problem
 * where a client handles it in a way of its own.
 */
export type Reason = { field: string; description: string; code?: ReasonCode }

/** The problems that have a code. */
export type ReasonCode = SwapReasonCode | NameReasonCode | OnrampReasonCode

/**
 * Why there is no swap. `no_swaps`: none on this chain. `no_route`: none between these tokens. `low_liquidity`: the pools
 * are too small for the amount. `price_moved`: by more than the slippage. `low_native_balance`: for the amount and its
 * gas. `low_allowance`: the router may not spend the amount. `would_revert`: for another reason, which the description
 * names.
 */
export type SwapReasonCode =
  | 'no_swaps'
  | 'no_route'
  | 'low_liquidity'
  | 'price_moved'
  | 'low_native_balance'
  | 'low_allowance'
  | 'would_revert'

/**
 * Why a name was not registered. `name_taken`: it is registered. `name_reserved`: nobody can register it. `too_many_names`:
 * the account has the maximum number of names. `stale_message`: the message was not signed recently, by the server's
 * clock. `wrong_signature`: it is not the account's.
 */
export type NameReasonCode =
  | 'name_taken'
  | 'name_reserved'
  | 'too_many_names'
  | 'stale_message'
  | 'wrong_signature'

/**
 * Why a provider of the on-ramp has no quote. `token_not_sold`: not this token, or not on this network.
 * `currency_not_taken`: not this currency with this payment method. `amount_out_of_range`: too little or too much.
 * `provider_down`: it did not respond.
 */
export type OnrampReasonCode =
  | 'token_not_sold'
  | 'currency_not_taken'
  | 'amount_out_of_range'
  | 'provider_down'
