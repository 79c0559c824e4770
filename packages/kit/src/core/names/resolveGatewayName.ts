import { etherCoinType, toCoinType } from '@gatefold/protocol/gateway'
import type { NameResponse } from '@gatefold/protocol/gateway'

import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import type { Network } from '../networks/Network.ts'
import { isName, requestNames } from './names.ts'
import type { Loose } from './names.ts'

// A separate module, because the account view needs only the registered names.

/**
 * The address of a registered name on a network; undefined if it has none there. A contract account has an address only
 * on its own network.
 *
 * @throws {GatewayError} the gateway failed
 */
export async function resolveGatewayName(
  kit: Kit,
  text: string,
  network: Network,
): Promise<string | undefined> {
  const name = text.toLowerCase()
  if (!isName(name) || !instanceOf(kit).options.endpoints.gateway) return undefined
  try {
    const body: Loose<NameResponse> = await requestNames(
      kit,
      `account/${name}`,
      { query: { apiVersion: '2' } },
      'Error resolving name',
    )
    const addresses = (body.addresses ?? {}) as Loose<NameResponse['addresses']>
    const coinTypes = [toCoinType(Number(network.id)), etherCoinType]
    const entries = coinTypes.map(
      (type) => addresses[type] as Loose<{ address: string }> | undefined,
    )
    const address = entries.find(Boolean)?.address
    return typeof address === 'string' && /^0x[0-9a-f]{40}$/i.test(address) ? address : undefined
  } catch (error) {
    // 404: not registered; 400: cannot be registered.
    if (error instanceof GatewayError && (error.status === 404 || error.status === 400))
      return undefined
    throw error
  }
}
