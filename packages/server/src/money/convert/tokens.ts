import { ChainQuery, nativeTokenAddress, type ConvertToken } from '@gatefold/protocol/gateway'
import type { Token } from '../chainData/ChainData.ts'
import type { MoneyContext } from '../context.ts'
import { handleQuery, iconOf, json, requireChain, toCaip } from '../requests.ts'

/**
 * `GET /v1/convert/tokens`: the native currency and the tokens of a chain's list.
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.6
 */
export function getTokens(context: MoneyContext) {
  return handleQuery(context, ChainQuery, async ({ chainId }, c) => {
    const chain = requireChain(context, chainId)
    const { takesPermits } = context.swaps.of(chain)
    const native: Token = { ...chain.data.nativeCurrency, address: nativeTokenAddress }
    const tokens = [native, ...chain.data.tokens].map((token): ConvertToken => {
      const { name, symbol, decimals, address } = token
      return {
        name,
        symbol,
        address: toCaip(chain, address),
        decimals,
        logoUri: iconOf(c, chain, token),
        ...(token.permit && takesPermits && { eip2612: true }),
      }
    })
    // Not for shared caches: the links depend on the headers of the request, and the project on its origin.
    return json({ tokens }, 200, { 'cache-control': 'private, max-age=300' })
  })
}
