import { limits } from '@gatefold/protocol'
import {
  maxMoneyBodyBytes,
  nativeTokenAddress,
  PriceBody,
  type PriceResponse,
} from '@gatefold/protocol/gateway'
import type { Token } from './chainData/ChainData.ts'
import type { MoneyContext } from './context.ts'
import { createDeadline } from './createDeadline.ts'
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
 * `POST /v1/fungible/price`: prices of tokens. Addresses that are not tokens
 * are omitted; a token with an unknown price has the price 0. Tokens that
 * cannot be read in time are omitted, and `missing` is set.
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
    const deadline = createDeadline(limits.moneyPartsMs)
    const rate = deadline.race(context.rates.find(currency)).catch(() => undefined)
    const read = await Promise.allSettled(
      addresses.map(async ({ address }, index) => {
        const chain = chains[index]!
        const native: Token = { ...chain.data.nativeCurrency, address: nativeTokenAddress }
        const found = isNative(address) ? native : context.tokens.find(chain, address)
        const token = await deadline.race(Promise.resolve(found))
        if (!token) return []
        const { name, symbol, decimals } = token
        const priced = context.prices.find(chain, address)
        const dollars = await deadline.race(priced).catch((error: unknown) => {
          if (!(error instanceof PriceSourceError)) throw error
          isMissing = true
        })
        const price = (dollars ?? 0) * ((await rate) ?? 0)
        const iconUrl = iconOf(c, chain, token)
        return [{ address: toCaip(chain, address), name, symbol, decimals, iconUrl, price }]
      }),
    )
    if ((await rate) === undefined) isMissing = true
    deadline.end()
    const fungibles = read.flatMap((it) => (it.status === 'fulfilled' ? it.value : []))
    const failed = read.find((it) => it.status === 'rejected')
    if (failed && read.every(({ status }) => status === 'rejected')) throw failed.reason
    const body: PriceResponse = {
      fungibles,
      ...((failed || isMissing) && { missing: ['prices'] }),
    }
    return json(body)
  })
}
