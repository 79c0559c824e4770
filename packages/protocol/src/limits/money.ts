/**
 * Maximum duration of an account or money request. Shorter than the 10 s after
 * which clients abort.
 */
export const moneyResponseMs = 8_000
/**
 * How long such a response waits for its data. What is missing by then is
 * omitted and listed in `missing`.
 */
export const moneyPartsMs = 7_000
/** Maximum number of tokens in the list of one chain. */
export const chainTokens = 500
/** Maximum number of tokens in one request for prices. */
export const priceTokens = 100
/** How long the name, symbol and decimals of a token outside the lists, and the name of a collection, are cached. */
export const tokenCacheMs = 24 * 60 * 60_000
/**
 * How long it is cached that an address is not a token, or has no name. Short, because the addresses of new contracts
 * are known before their deployment. @see docs/threats.md#hostile-tokens
 */
export const tokenMissCacheMs = 60_000
/** How long the price of a token is cached. */
export const priceCacheMs = 60_000
/** Maximum number of points in a price history. */
export const priceHistoryPoints = 60
/**
 * Shortest window of an average price from a pool. A pool that traded more
 * recently has no average, so nobody can move a price by trading just before it
 * is read.
 */
export const priceWindowMinSeconds = 60
/**
 * Minimum depth of a pool whose price is used: the amount in US dollars that
 * moves its price by two percent, averaged over the window.
 */
export const priceDepthDollars = 1_000
/** Highest price of a token that is accepted from a source, in US dollars. */
export const priceMaxDollars = 1e12
/**
 * Maximum ratio of a vendor's price to that of the other sources, the higher
 * divided by the lower.
 */
export const priceRatioMax = 10
/** Timeout of a request to a vendor for prices or exchange rates. */
export const priceVendorTimeoutMs = 3_000
/**
 * Maximum size of a vendor's response with prices or exchange rates,
 * decompressed.
 */
export const priceVendorBytes = 512 * 1024
/**
 * How long a vendor for prices or exchange rates gets no requests after a
 * failure.
 */
export const priceVendorPauseMs = 15_000
/**
 * Requests per second to a vendor, separately for tokens outside the chains'
 * lists and for charts.
 */
export const priceVendorPerSecond = 5
/** Maximum burst of such requests. */
export const priceVendorBurst = 50
/** Age above which a vendor's price is not used. */
export const priceAgeMaxMs = 6 * 60 * 60_000
/** Minimum confidence, from 0 to 1, of a vendor's price that is used. */
export const priceConfidenceMin = 0.5
/** Maximum number of points in a price history. */
export const pricePoints = 60
/** How long a price history is cached. Its last point is never older than {@link priceCacheMs}. */
export const priceHistoryCacheMs = 5 * 60_000
/** Maximum number of quotes that the operator sets. */
export const priceQuotes = 10_000
/**
 * Maximum number of currencies other than the US dollar, for each kind of
 * exchange rate.
 */
export const currencies = 50
/** How long a vendor's exchange rates are cached. */
export const exchangeRateCacheMs = 60 * 60_000
/** Age above which an exchange rate is not used. Banks publish none on weekends and holidays. */
export const exchangeRateAgeMaxMs = 7 * 24 * 60 * 60_000
/**
 * How long the kit reuses the result of checking a transfer, including its fee.
 */
export const transferCheckMs = 10_000
/**
 * Maximum number of submitted transactions that a site stores for its visitor.
 * @see §9.3.1
 */
export const pendingTransactions = 99
/** Shortest time after which the kit reads a pending transaction again. */
export const pendingPollMinMs = 2_000
/** Longest time after which the kit reads a pending transaction again. @see §9.12.1 */
export const pendingPollMaxMs = 30_000
/**
 * How long a pending transaction may be unknown to the network before the kit
 * reports it as dropped.
 */
export const pendingDropMs = 600_000
/**
 * How long the kit keeps a transaction that has ended, in case the gateway's
 * history does not list it.
 */
export const pendingEndedKeepMs = 86_400_000
/** How long the kit keeps a submitted transaction. */
export const pendingKeepMs = 604_800_000
/** How long a swap quote is valid. */
export const quoteLifetimeMs = 30_000
/** How long a quote waits for the prices from which its price impact is derived, if its source states none. */
export const swapImpactMs = 1_500
/** Timeout of a request to a swap vendor. Leaves time for the simulation. */
export const swapVendorTimeoutMs = 4_000
/** Maximum size of a swap vendor's response, decompressed. */
export const swapVendorBytes = 512 * 1024
/** How long a swap vendor gets no requests after a failure. */
export const swapVendorPauseMs = 10_000
/** Requests per second to a swap vendor. */
export const swapVendorPerSecond = 20
/** Maximum burst of requests to a swap vendor. */
export const swapVendorBurst = 100
/**
 * How many minutes a swap transaction is valid after it was built, unless the
 * request sets another number.
 */
export const swapDeadlineMinutes = 20
/** Longest validity of a swap transaction, in minutes. */
export const swapDeadlineMaxMinutes = 180
/**
 * Tolerated difference between the gateway's and the visitor's clock when the
 * kit checks the deadline of a swap.
 */
export const swapClockSkewSeconds = 600
/** Slippage of a swap in percent, if a request does not set one. @see §9.3.1 */
export const swapSlippagePercent = 1
/** Largest slippage that the gateway accepts, in percent. */
export const swapSlippageMaxPercent = 50
/** Slippage from which the modal warns that it is high, in percent. */
export const swapSlippageHighPercent = 5
/** Slippage below which the modal warns that it is low, in percent. */
export const swapSlippageLowPercent = 0.1
/** Maximum number of transactions in one response of the history. */
export const historyPageSize = 30
/** Maximum number of transfers of a transaction in the history. */
export const historyTransfers = 20
/** Maximum number of transactions that are stored for an account on a chain; the newest are kept. */
export const historyEntries = 2_000
/**
 * Maximum number of ERC-20 tokens that are stored for an account on a chain;
 * the newest are kept.
 */
export const historyTokens = 100
/**
 * Maximum number of NFTs that are stored for an account on a chain; the newest
 * are kept.
 */
export const historyNfts = 1_000
/** Number of blocks whose hashes are stored. A longer reorganization makes the indexer read the chain again. */
export const historyReorgBlocks = 64
/** Days after its last request after which an account's history is deleted. */
export const historyIdleDays = 30
/** Number of new accounts that one address may request at once. */
export const historyAddressBurst = 100
/**
 * Number of new accounts that one address may request per hour, after the
 * burst.
 */
export const historyAddressHourly = 60
/** Number of new accounts that one project may request at once. */
export const historyProjectBurst = 2_000
/**
 * Number of new accounts that one project may request per hour, after the
 * burst.
 */
export const historyProjectHourly = 1_200
/** Debounce delay of the amount field before the modal requests a quote. */
export const quoteDelayMs = 200
/** Interval at which the modal refreshes the quote on screen, and the gas price. */
export const quoteRefreshMs = 10_000
/**
 * Assumed gas of a swap until there is a quote. “Max” of the native currency
 * leaves enough for it.
 */
export const swapGasUnits = 300_000
/** Price impact from which a swap shows a warning, in percent. */
export const priceImpactWarnPercent = 5
/** Price impact from which a swap needs an extra confirmation, in percent. */
export const priceImpactConfirmPercent = 15
/** Smallest and largest payment by card, in units of the payment currency. @see §9.5 */
export const onrampCardMin = 10
export const onrampCardMax = 7_500
/** Smallest and largest payment from a bank account, in units of the payment currency. @see §9.5 */
export const onrampBankMin = 10
export const onrampBankMax = 25_000
/**
 * Payment of an order whose request contains no amount, in units of the payment
 * currency.
 */
export const onrampDefaultAmount = 100
/** How long an on-ramp quote is valid. */
export const onrampQuoteMs = 60_000
/** How long an order can be paid. */
export const onrampOrderMs = 30 * 60_000
/** How long an order is stored after its last change. */
export const onrampRetentionMs = 30 * 24 * 60 * 60_000
/** Maximum number of unpaid orders of one client. */
export const onrampClientOrders = 20
/** Maximum number of unpaid orders of one project. */
export const onrampProjectOrders = 10_000
/** Maximum difference between a webhook's timestamp and the server's clock. */
export const onrampWebhookWindowMs = 5 * 60_000
/**
 * Minimum interval between two requests to a provider for the status of one
 * order.
 */
export const onrampStatusMs = 5_000
/** Timeout of a request to a provider. */
export const onrampVendorTimeoutMs = 5_000
/** Interval at which the modal refreshes on-ramp quotes. */
export const onrampRefreshMs = 15_000
/** Interval at which the modal reads an unfinished order, and one that has expired. */
export const onrampPollMs = 3_000
export const onrampExpiredPollMs = 30_000
/** After this time without the tokens, the modal says that a paid order takes long. */
export const onrampSlowMs = 30 * 60_000
/** Fee of the sandbox in percent, inside the range of §9.5. */
export const onrampSandboxFeePercent = 1.5
/** Value of one euro in US dollars, in the sandbox. */
export const onrampSandboxEuroDollars = 1.1
/** Delay of the sandbox's payout for its slow test card. */
export const onrampSandboxSlowMs = 10_000
