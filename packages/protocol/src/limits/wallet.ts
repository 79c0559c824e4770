/** Timeout for revoking a wallet's permissions. @see §9.6.4 */
export const revokeTimeoutMs = 100
/** Timeout after which a view reports that the wallet does not respond. */
export const walletSilenceMs = 60_000
/** How long the kit waits for the capabilities of a wallet before it goes on without them. */
export const walletCapabilitiesMs = 2_000
/** How long the kit waits for the fee of a smart account's operation before it shows none. */
export const callsFeeMs = 8_000
/** Maximum length of the id of a batch of calls: 4,096 bytes in hex. @see EIP-5792 */
export const callsIdLength = 8_194
/** How long an injected provider may take to appear. @see §9.6.5 */
export const asyncInjectMs = 1_000
