import {
  maxMoneyBodyBytes,
  nativeTokenAddress,
  PriceBody,
  type PriceResponse,
} from '@gatefold/protocol/gateway'
import type { Token } from './chainData/ChainData.ts'
import type { MoneyContext } from './context.ts'
import { PriceSourceError } from './prices/PriceSource.ts'
import {
  handleBody,
  iconOf,
  isNative,
  json,
  requireChain,
  requireCurrency,
  toCaip,
} from './requests.ts'

/**
 * `POST /v1/fungible/price`: prices of tokens. Addresses that are not tokens are left out; a token whose price is not
 * known has the price 0.
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.7
 */
export function postFungiblePrice(context: MoneyContext) {
  return handleBody(context, PriceBody, maxMoneyBodyBytes, async ({ addresses, currency }, c) => {
    requireCurrency(context, currency)
    const chains = addresses.map(({ caipNetworkId }) =>
      requireChain(context, caipNetworkId, 'addresses'),
    )
    let isMissing = false
    const rate = context.rates.find(currency)
    const fungibles = await Promise.all(
      addresses.map(async ({ address }, index) => {
        const chain = chains[index]!
        const native: Token = { ...chain.data.nativeCurrency, address: nativeTokenAddress }
        const token = isNative(address) ? native : await context.tokens.find(chain, address)
        if (!token) return []
        const { name, symbol, decimals } = token
        const dollars = await context.prices.find(chain, address).catch((error: unknown) => {
          if (!(error instanceof PriceSourceError)) throw error
          isMissing = true
        })
        const price = (dollars ?? 0) * ((await rate) ?? 0)
        const iconUrl = iconOf(c, chain, token)
        return [{ address: toCaip(chain, address), name, symbol, decimals, iconUrl, price }]
      }),
    )
    const body: PriceResponse = {
      fungibles: fungibles.flat(),
      ...((isMissing || (await rate) === undefined) && { missing: ['prices'] }),
    }
    return json(body)
  })
}
