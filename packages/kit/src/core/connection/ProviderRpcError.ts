/** The error that providers reject with; viem and wagmi read its `code`. @see EIP-1193, EIP-1474 */
export class ProviderRpcError extends Error {
  override name = 'ProviderRpcError'
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, options: { data?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.data = options.data
  }
}

/** Converts a session error to a provider error if the wallet sent an error code. */
export function toProviderRpcError(error: unknown): unknown {
  const { reason } = error as { reason?: { code?: unknown; message?: string; data?: unknown } }
  if (typeof reason?.code !== 'number') return error
  return new ProviderRpcError(reason.code, reason.message ?? 'The wallet rejected the request', {
    data: reason.data,
    cause: error,
  })
}
