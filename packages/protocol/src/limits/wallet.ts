/** Timeout for revoking a wallet's permissions. @see §9.6.4 */
export const revokeTimeoutMs = 100
/** Timeout after which a view reports that the wallet does not respond. */
export const walletSilenceMs = 60_000
/** How long an injected provider may take to appear. @see §9.6.5 */
export const asyncInjectMs = 1_000
