import { toLabel } from '@gatefold/protocol'

import type { GatewayClient } from '../features/GatewayClient.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import type { Network } from '../networks/Network.ts'

/** @throws {GatewayError} the site has no gateway */
export async function requireGateway(kit: Kit): Promise<GatewayClient> {
  const gateway = await instanceOf(kit).gateway()
  if (!gateway) throw new GatewayError('Account data needs the option endpoints.gateway.')
  return gateway
}

/** A label in the response; empty if it is missing. */
export function textOf(value: unknown, maxLength: number): string {
  return typeof value === 'string' ? toLabel(value, maxLength) : ''
}

/**
 * Pictures are requested only from the gateway, because a token's creator
 * chooses the picture's URL and could otherwise learn who holds the token.
 */
export function imageOf(value: unknown, gateway: string | undefined): string | undefined {
  if (typeof value !== 'string' || value === '' || !gateway) return undefined
  if (!URL.canParse(value, gateway)) return undefined
  const url = new URL(value, gateway)
  return url.origin === new URL(gateway).origin ? url.href : undefined
}

/** Maximum length of a token's name and symbol, and of an NFT's texts and description; the rest is cut off. */
export const maxText = { name: 60, symbol: 20, nft: 100, description: 1_000 }

/** The address that stands for the native currency in requests. @see docs/contracts/gateway.md#account-and-money */
export const nativeAddress = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** The CAIP-10 address of a token in requests. @param token - without an address, the native currency */
export function caipAddressOf(token: { network: Network; address: string | undefined }): string {
  return `${token.network.caipNetworkId}:${token.address ?? nativeAddress}`
}
