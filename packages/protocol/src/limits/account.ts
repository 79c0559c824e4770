/** How long token and native balances are cached. @see §9.1.2 */
export const balanceCacheMs = 30_000
/** How long ENS names and identities are cached. @see §9.1.3 */
export const identityCacheMs = 5 * 60_000
/** Pause after a failed token balance fetch. @see §9.1.3 */
export const balanceRetryDelayMs = 30_000
/** Decimals shown for a balance, which is rounded down. @see §9.3.3 */
export const balanceDecimals = 3
/** Decimals shown for an amount of fiat money. @see §9.3.3 */
export const moneyDecimals = 2
/** @see §9.12.1 */
export const sendConfirmationTimeoutMs = 25_000
/** Value below which the modal does not list a token, in whole units of the visitor's currency. */
export const smallBalance = 1
