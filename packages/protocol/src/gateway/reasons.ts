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

/**
 * Why there is no swap. `no_swaps`: none on this chain. `no_route`: none between these tokens. `low_liquidity`: the pools
 * are too small for the amount. `price_moved`: by more than the slippage. `low_native_balance`: for the amount and its
 * gas. `low_allowance`: the router may not spend the amount. `would_revert`: for another reason, which the description
 * names.
 */
export type ReasonCode =
  | 'no_swaps'
  | 'no_route'
  | 'low_liquidity'
  | 'price_moved'
  | 'low_native_balance'
  | 'low_allowance'
  | 'would_revert'
