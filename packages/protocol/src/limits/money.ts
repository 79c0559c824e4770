/** Maximum number of tokens in the list of one chain. */
export const chainTokens = 500
/** Maximum number of tokens whose price one request may ask for. */
export const priceTokens = 100
/** How long the price of a token is cached. */
export const priceCacheMs = 60_000
/**
 * Shortest window of an average price from a pool. A pool that traded more recently has no average, so that nobody
 * can move a price by trading just before it is read.
 */
export const priceWindowMinSeconds = 60
/**
 * Smallest depth of a pool whose price is used: the US dollars that move its price by two percent, on average over the
 * window.
 */
export const priceDepthDollars = 1_000
/** How long a swap quote holds. */
export const quoteLifetimeMs = 30_000
/** How long the transaction of a swap is valid after it was built. */
export const swapDeadlineSeconds = 1_200
/** Slippage of a swap in percent, if a request does not set one. @see §9.3.1 */
export const swapSlippagePercent = 1
/** Largest slippage that the gateway accepts, in percent. */
export const swapSlippageMaxPercent = 50
