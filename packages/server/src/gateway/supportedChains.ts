import type { SupportedChainsResponse } from '@gatefold/protocol/gateway'
import { json } from './answers.ts'
import type { GatewayContext } from './context.ts'

/**
 * `GET /v1/supported-chains`: the networks this gateway proxies. Clients ask before any other call
 * of the Blockchain API, and skip the call for a network that is not in `http`.
 *
 * @see contract of the gateway, 5
 */
export function getSupportedChains(context: GatewayContext) {
  const body: SupportedChainsResponse = { http: [...context.chains.keys()], ws: [] }
  return () => json(body, 200, { 'cache-control': 'public, max-age=300' })
}
