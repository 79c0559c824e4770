import { BaseError } from '@gatefold/protocol'

/** Sends a JSON-RPC request to a node of a chain. */
export type Rpc = (chainId: string, method: string, params: unknown) => Promise<unknown>

/**
 * Creates a function that sends requests to the nodes that the operator has
 * configured, through the frame's own origin. The page's `rpcUrl` is not used,
 * because a hostile page could name any URL.
 *
 * @see docs/contracts/frame-api.md#rpc
 */
export function createRpc(options: {
  origin: string
  projectId: string
  /** Where to send the requests: to nodes or to bundlers. */
  path?: 'rpc' | 'bundler'
  fetch: typeof fetch
}): Rpc {
  const { origin, projectId, path = 'rpc' } = options
  return async (chainId, method, params) => {
    const url = `${origin}/${path}?${new URLSearchParams({ chainId, projectId })}`
    const response = await options
      .fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] }),
        credentials: 'omit',
        signal: AbortSignal.timeout(10_000),
      })
      .catch((cause: unknown) => {
        throw new NodeError('The network did not respond.', { cause })
      })
    const body = (await response.json().catch(() => undefined)) as
      | { result?: unknown; error?: { message?: unknown; data?: unknown } }
      | undefined
    if (body?.error) {
      const { message, data } = body.error
      throw new NodeError(typeof message === 'string' ? message : 'The node refused the request.', {
        data,
        isAnswer: true,
      })
    }
    if (!body || !('result' in body)) throw new NodeError('The network did not respond.')
    return body.result
  }
}

/** A node refused a request or did not respond. */
export class NodeError extends BaseError {
  override name = 'NodeError'
  /**
   * Whether the node executed the request and reported an error from the
   * execution, such as a revert.
   */
  readonly isAnswer: boolean
  readonly data: unknown
  constructor(
    message: string,
    options: { cause?: unknown; data?: unknown; isAnswer?: boolean } = {},
  ) {
    super(message, { code: 'frame.node', cause: options.cause })
    this.isAnswer = options.isAnswer ?? false
    this.data = options.data
  }
}
