import { startCountingProxy } from './startCountingProxy.ts'

/** Forwards JSON-RPC requests to a node, but refuses `eth_simulateV1`, as nodes without this method do. */
export async function startOlderNode(url: string) {
  const node = await startCountingProxy(url)
  const error = { code: -32_601, message: 'the method does not exist' }
  node.changes = (reply, { method }) =>
    method === 'eth_simulateV1' ? { ...(reply as object), result: undefined, error } : reply
  return node
}
