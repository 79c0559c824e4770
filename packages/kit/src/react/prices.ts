import type { UseQueryResult } from '@tanstack/react-query'
import { limits } from '@gatefold/protocol'

import { caipAddressOf } from '../core/money/fromGateway.ts'
import { getPriceHistory } from '../core/money/priceHistory.ts'
import type { PriceHistory, PricePeriod } from '../core/money/priceHistory.ts'
import type { Token } from '../core/money/tokens.ts'
import { useKitContext, useKitState } from './context.ts'
import { useKitQuery } from './queries.ts'

/**
 * The price of a token over a period, in the visitor's currency, from the gateway. The prices stay fresh for a minute.
 * The data is null if the gateway does not serve price histories.
 *
 * @param of - the token and the period; undefined requests nothing
 * @example
 * const { data } = useKitPriceHistory({ token, period: 'week' })
 * return data?.points.map(({ time, price }) => <p key={time}>{price}</p>)
 */
export function useKitPriceHistory(
  of:
    | {
        /** The token, such as one of `useKitTokens`. */
        token: Pick<Token, 'network' | 'address'>
        /** The period, up to now. */
        period: PricePeriod
      }
    | undefined,
): UseQueryResult<PriceHistory | null> {
  const { kit } = useKitContext()
  const currency = useKitState((state) => state.preferences.currency)
  return useKitQuery({
    name: 'priceHistory',
    key: of ? [caipAddressOf(of.token).toLowerCase(), of.period, currency] : [],
    enabled: Boolean(of && kit.options.endpoints.gateway),
    staleTime: limits.priceCacheMs,
    load: async (_, signal) => (await getPriceHistory(kit, { ...of!, currency, signal })) ?? null,
  })
}
