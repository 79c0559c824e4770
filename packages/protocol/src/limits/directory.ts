/** How many recently used wallets are stored. @see §9.2 */
export const recentWallets = 2
/** Wallets per page of the directory. @see §9.2 */
export const walletsPageSize = 40
/** Recommended wallets per request. @see §9.2 */
export const recommendedWallets = 4
/** Wallets requested for a search. @see §9.2 */
export const walletSearchEntries = 100
/** Images prefetched per page. @see §9.2 */
export const imagePrefetchCount = 20
/** How long to wait for the prefetched images. @see §9.2 */
export const imagePreloadTimeoutMs = 2_000
/** @see §9.9.1 */
export const connectorTypeOrder = [
  'walletConnect',
  'recent',
  'injected',
  'featured',
  'custom',
  'external',
  'recommended',
] as const
/** Debounce of the wallet search input. */
export const searchDebounceMs = 200
/** Minimum length of a search term, in characters. @see docs/views.md#allwallets */
export const searchMinLength = 2
