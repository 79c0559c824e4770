import { ProviderRpcError, rpcError } from './ProviderRpcError.ts'

/** Timeout of one request to a chain, in ms. */
const chainTimeoutMs = 20_000

/** Sends a request to one chain. Throws the chain's error with code and data, or 4901 if it is unreachable. */
export type ChainRpc = (method: string, params?: unknown) => Promise<unknown>

/** Creates a JSON-RPC client for a chain, over HTTP. */
export function createChainRpc(rpcUrl: string): ChainRpc {
  let id = 0
  return async (method, params = []) => {
    id += 1
    let answer: unknown
    try {
      const response = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        signal: AbortSignal.timeout(chainTimeoutMs),
      })
      answer = await response.json()
    } catch (cause) {
      const error = rpcError('chainDisconnected', `The chain at ${rpcUrl} does not respond.`)
      error.cause = cause
      throw error
    }
    if (!isRecord(answer))
      throw rpcError('internal', `The chain at ${rpcUrl} returned an invalid response.`)
    if (isRecord(answer.error)) {
      const { code, message, data } = answer.error
      throw new ProviderRpcError(
        typeof code === 'number' ? code : -32603,
        typeof message === 'string' ? message : 'The chain rejected the request.',
        data,
      )
    }
    return answer.result
  }
}

/** Methods forwarded to the chain. Methods that are neither here nor in `createMethods` are rejected with 4200. */
export const chainMethods: ReadonlySet<string> = new Set([
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_sendRawTransaction',
  'eth_simulateV1',
  'eth_syncing',
  'eth_uninstallFilter',
  'net_listening',
  'net_peerCount',
  'web3_clientVersion',
  'web3_sha3',
])

/** Whether a value is a plain JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
