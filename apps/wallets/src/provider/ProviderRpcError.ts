/**
 * An EIP-1193 error, or a chain's JSON-RPC error passed through.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1193#provider-errors
 * @see https://eips.ethereum.org/EIPS/eip-5792#error-codes
 */
export class ProviderRpcError extends Error {
  override name = 'ProviderRpcError'
  readonly code: number
  readonly data?: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    if (data !== undefined) this.data = data
  }
}

/** The error codes of the demo wallet, by name. */
export const errorCodes = {
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
  alreadyPending: -32002,
  userRejected: 4001,
  unauthorized: 4100,
  unsupportedMethod: 4200,
  disconnected: 4900,
  chainDisconnected: 4901,
  unknownChain: 4902,
  unsupportedCapability: 5700,
  unsupportedCallsChain: 5710,
  duplicateCallsId: 5720,
  unknownCallsId: 5730,
  atomicityNotSupported: 5760,
} as const

/** Creates an error with the code of that name. */
export function rpcError(
  name: keyof typeof errorCodes,
  message: string,
  data?: unknown,
): ProviderRpcError {
  return new ProviderRpcError(errorCodes[name], message, data)
}
