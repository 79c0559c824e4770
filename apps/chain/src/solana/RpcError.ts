import { BaseError } from '@gatefold/protocol'

/**
 * Error codes of Solana's JSON-RPC.
 *
 * @see https://solana.com/docs/rpc; `rpc-client-api/src/custom_error.rs` of Agave
 */
export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  preflightFailure: -32002,
  signatureVerification: -32003,
  signatureLength: -32013,
  transactionVersion: -32015,
  minContextSlot: -32016,
} as const

/** An error that is sent to the client of the JSON-RPC. */
export class RpcError extends BaseError {
  override name = 'RpcError'
  readonly rpcCode: number
  readonly data: unknown
  constructor(code: keyof typeof codes, message: string, data?: unknown) {
    super(message, { code: 'chain.solana_rpc' })
    this.rpcCode = codes[code]
    this.data = data
  }

  /** The member `error` of the response. */
  toJSON(): { code: number; message: string; data?: unknown } {
    const { rpcCode, message, data } = this
    return data === undefined ? { code: rpcCode, message } : { code: rpcCode, message, data }
  }
}
