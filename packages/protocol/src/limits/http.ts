/** @see §9.4.2 */
export const httpTimeoutMs = 10_000
/** Maximum requests in a JSON-RPC batch to the gateway. §9.4.2 lets clients batch up to 1,000. */
export const rpcBatchSize = 100
/** @see §9.4.2 */
export const pollingIntervalMs = 4_000
/** Maximum number of error reports in one window. @see §9.4.1 */
export const errorReportCap = 5
export const errorReportWindowMs = 60_000
