import * as v from 'valibot'

/** Codes of JSON-RPC 2.0. */
export const rpcErrorCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
} as const

/** Largest body of a JSON-RPC request, in bytes. */
export const maxRpcBodyBytes = 1024 * 1024

/**
 * One JSON-RPC request. A missing `id` would be a notification, which cannot be answered;
 * the proxy asks for one.
 *
 * @see https://www.jsonrpc.org/specification
 */
export const RpcRequest = v.object(
  {
    jsonrpc: v.literal('2.0', 'must be "2.0"'),
    id: v.union([v.string(), v.number(), v.null()], 'must be a text or a number'),
    method: v.pipe(v.string('must be a text'), v.nonEmpty('must not be empty')),
    params: v.optional(
      v.union(
        [v.array(v.unknown()), v.record(v.string(), v.unknown())],
        'must be a list or an object',
      ),
    ),
  },
  'must be a JSON-RPC request object',
)

export type RpcRequest = v.InferOutput<typeof RpcRequest>

export type RpcError = { code: number; message: string; data?: unknown }

export type RpcResponse =
  | { jsonrpc: '2.0'; id: RpcRequest['id']; result: unknown }
  | { jsonrpc: '2.0'; id: RpcRequest['id']; error: RpcError }

/** What `GET /v1/supported-chains` answers: CAIP-2 ids with an HTTP or a WebSocket endpoint. */
export const SupportedChainsAnswer = v.object({
  http: v.array(v.string()),
  ws: v.array(v.string()),
})
