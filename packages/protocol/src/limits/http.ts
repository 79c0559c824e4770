/** @see §9.4.2 */
export const httpTimeoutMs = 10_000
/**
 * Maximum number of requests in a JSON-RPC batch that the gateway accepts. Deliberately below the 1,000
 * that §9.4.2 allows clients to batch.
 */
export const rpcBatchSize = 100
/** Maximum number of error reports in one window. @see §9.4.1 */
export const errorReportCap = 5
export const errorReportWindowMs = 60_000
