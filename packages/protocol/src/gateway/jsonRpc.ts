import * as v from 'valibot'

/** Error codes of JSON-RPC 2.0. */
export const rpcErrorCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
} as const

/** Maximum size of a JSON-RPC request body, in bytes. */
export const maxRpcBodyBytes = 1024 * 1024
/** Maximum length of a request's id, in characters. The response repeats the id. */
export const maxRpcIdLength = 256

/**
 * A JSON-RPC request. `id` is required, because a request without an id is a notification, which gets
 * no response.
 *
 * @see https://www.jsonrpc.org/specification
 */
export const RpcRequest = v.object(
  {
    jsonrpc: v.literal('2.0', 'must be "2.0"'),
    id: v.union(
      [
        v.pipe(
          v.string(),
          v.maxLength(maxRpcIdLength, `must be at most ${maxRpcIdLength} characters long`),
        ),
        v.number(),
        v.null(),
      ],
      'must be a string or a number',
    ),
    method: v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty')),
    params: v.optional(
      v.union(
        [v.array(v.unknown()), v.record(v.string(), v.unknown())],
        'must be an array or an object',
      ),
    ),
  },
  'must be a JSON-RPC request object',
)

export type RpcRequest = v.InferOutput<typeof RpcRequest>

/**
 * Whether a value from JSON passes {@link RpcRequest}. Takes a tenth of the schema's time, which matters for batches; the
 * schema describes what is wrong.
 */
export function isRpcRequest(value: unknown): value is RpcRequest {
  if (typeof value !== 'object' || value === null) return false
  const { jsonrpc, id, method, params } = value as Record<string, unknown>
  const isText = typeof id === 'string' && id.length <= maxRpcIdLength
  return (
    jsonrpc === '2.0' &&
    (isText || typeof id === 'number' || id === null) &&
    typeof method === 'string' &&
    method !== '' &&
    (params === undefined || (typeof params === 'object' && params !== null))
  )
}

export type RpcError = { code: number; message: string; data?: unknown }

/** A JSON-RPC response. */
export type RpcResponse = { jsonrpc: '2.0'; id: string | number | null } & (
  | { error: RpcError }
  | { result: unknown }
)

/** The response to `GET /v1/supported-chains`: CAIP-2 ids of the chains with an HTTP or WebSocket endpoint. */
export type SupportedChainsResponse = { http: string[]; ws: string[] }
