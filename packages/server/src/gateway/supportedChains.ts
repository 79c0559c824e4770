import type { SupportedChainsResponse } from '@gatefold/protocol/gateway'
import { json } from './answers.ts'
import type { GatewayContext } from './context.ts'

/**
 * `GET /v1/supported-chains`: the chains that this gateway proxies. Clients fetch the list first and skip
 * calls for chains that are not in `http`.
 *
 * @see docs/contracts/gateway.md#json-rpc
 */
export function getSupportedChains(context: GatewayContext) {
  const body: SupportedChainsResponse = { http: [...context.chains.keys()], ws: [] }
  return () => json(body, 200, { 'cache-control': 'public, max-age=300' })
}
