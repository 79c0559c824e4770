/**
 * The body of an HTTP error response, in the format of the public servers. `POST /rpc` of the relay
 * and `GET /health` have other bodies. Official clients read only the HTTP status; the kit also reads the first
 * reason.
 *
 * @see docs/contracts/gateway.md#rules-for-all-endpoints
 */
export type Reasons = { status: 'FAILED'; reasons: Reason[] }

/**
 * One problem with a request: the field, and a description such as the expected
 * value. `code` identifies problems that clients handle individually.
 */
export type Reason = { field: string; description: string; code?: ReasonCode }

/** The problems that have a code. */
export type ReasonCode = SwapReasonCode | NameReasonCode | OnrampReasonCode | FrameReasonCode

/**
 * Why there is no swap. `no_swaps`: none on this chain. `no_route`: none between these tokens. `low_liquidity`: the pools
 * are too small for the amount. `price_moved`: by more than the slippage. `low_native_balance`: for the amount and its
 * gas. `low_allowance`: the router may not spend the amount. `no_batches`: a swap after an approval in the same batch
 * cannot be simulated here. `would_revert`: for another reason, which the description names.
 */
export type SwapReasonCode =
  | 'no_swaps'
  | 'no_route'
  | 'low_liquidity'
  | 'price_moved'
  | 'low_native_balance'
  | 'low_allowance'
  | 'no_batches'
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
 * Why a provider of the on-ramp has no quote. `token_not_sold`: the provider
 * does not sell this token, or not on this network. `currency_not_taken`: it
 * does not accept this currency with this payment method.
 * `amount_out_of_range`: the amount is too small or too large. `provider_down`:
 * it did not respond.
 */
export type OnrampReasonCode =
  | 'token_not_sold'
  | 'currency_not_taken'
  | 'amount_out_of_range'
  | 'provider_down'

/**
 * Why the frame's server refuses a request. `code_wrong`, `code_expired`: also for a code that was used, replaced or has
 * no tries left. `too_soon`, `too_many_codes`, `too_many_recoveries`: try again after `Retry-After`. `mail_unavailable`:
 * the server cannot send mail. `invalid_dpop_proof`, `use_dpop_nonce`: see RFC 9449. `session_ended`: refresh the
 * tokens, or log in again. `login_too_old`: log in again. `wallet_exists`: the user has another wallet. `wrong_signature`: the wallet's key did not sign the set.
 * `epoch_changed`:
 * the user has signed out everywhere since. `no_set`, `set_exists`: this device has none, or has one already.
 * `code_needed`: log in again with a code from a mail, on a device that does not have the wallet. `no_recovery_key`: the
 * wallet has no automatic recovery. `not_offered`: the project does not offer it.
 * `recovery_changed`: another device changed the methods. `no_handover`: the link was used or has expired.
 * `passkey_wrong`: the passkey is not known here. `last_set`: the wallet would be lost. `email_taken`: another
 * user has the address. `email_moved`: the address was changed, and the change can still be undone.
 * `social_unavailable`: the provider is not set up. `social_expired`: also for a social login of another device, page or
 * project, or one that was finished. `social_declined`: by the visitor. `social_failed`: the provider did not confirm it.
 */
export type FrameReasonCode =
  | 'code_wrong'
  | 'code_expired'
  | 'code_needed'
  | 'too_soon'
  | 'too_many_codes'
  | 'too_many_recoveries'
  | 'mail_unavailable'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'session_ended'
  | 'login_too_old'
  | 'wallet_exists'
  | 'wrong_signature'
  | 'epoch_changed'
  | 'no_set'
  | 'set_exists'
  | 'no_recovery_key'
  | 'no_handover'
  | 'not_offered'
  | 'recovery_changed'
  | 'passkey_wrong'
  | 'last_set'
  | 'email_taken'
  | 'email_moved'
  | 'social_unavailable'
  | 'social_expired'
  | 'social_declined'
  | 'social_failed'
