import {
  maxMoneyBodyBytes,
  nativeTokenAddress,
  PriceBody,
  type PriceResponse,
} from '@gatefold/protocol/gateway'
import type { Token } from './chainData/ChainData.ts'
import type { MoneyContext } from './context.ts'
import { handleBody, iconOf, isNative, json, requireChain, toCaip } from './requests.ts'

/**
 * `POST /v1/fungible/price`: prices of tokens. Addresses that are not tokens are left out; a token whose price is not
 * known has the price 0.
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.7
 */
export function postFungiblePrice(context: MoneyContext) {
  return handleBody(context, PriceBody, maxMoneyBodyBytes, async ({ addresses }, c) => {
    const chains = addresses.map(({ caipNetworkId }) =>
      requireChain(context, caipNetworkId, 'addresses'),
    )
    const fungibles = await Promise.all(
      addresses.map(async ({ address }, index) => {
        const chain = chains[index]!
        const native: Token = { ...chain.data.nativeCurrency, address: nativeTokenAddress }
        const token = isNative(address) ? native : await context.tokens.find(chain, address)
        if (!token) return []
        const { name, symbol, decimals } = token
        const price = (await context.prices.find(chain, address)) ?? 0
        const iconUrl = iconOf(c, chain, token)
        return [{ address: toCaip(chain, address), name, symbol, decimals, iconUrl, price }]
      }),
    )
    return json({ fungibles: fungibles.flat() } satisfies PriceResponse)
  })
}
