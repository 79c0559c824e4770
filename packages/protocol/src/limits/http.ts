/** @see §9.4.2 */
export const httpTimeoutMs = 10_000
/** JSON-RPC requests in one batch that the gateway accepts; §9.4.2 lets a client batch up to 1,000. */
export const rpcBatchSize = 100
/** @see §9.4.2 */
export const pollingIntervalMs = 4_000
/** Error reports in one window. @see §9.4.1 */
export const errorReportCap = 5
export const errorReportWindowMs = 60_000
