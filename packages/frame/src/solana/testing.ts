import { NodeError, type Rpc } from '../rpc/createRpc.ts'

/** Sends requests straight to a node, for tests. */
export function rpcOf(url: string): Rpc {
  return async (_chainId, method, params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const body = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (body.error) throw new NodeError(body.error.message, { isAnswer: true })
    return body.result
  }
}
