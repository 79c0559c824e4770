import type { QueryClient } from '@tanstack/react-query'

import { getAccount } from '../../../core/connection/account.ts'
import type { KitInstance } from '../../../core/kit/Kit.ts'
import { getTokens } from '../../../core/money/tokens.ts'
import { queryKey } from '../../../react/queryKey.ts'

/** The queries on screen that are refetched in addition to the tokens. */
const others = ['balance', 'nfts', 'activity']

/**
 * Refetches the account's balances, bypassing the gateway's cache.
 *
 * @param parameters.hasTokens - whether the gateway serves tokens; otherwise, only the native balance is requested
 * @throws the first request's error
 */
export async function refetchBalances(parameters: {
  kit: KitInstance
  queryClient: QueryClient
  hasTokens: boolean
}): Promise<void> {
  const { kit, queryClient, hasTokens } = parameters
  const { namespace, preferences } = kit.getState()
  const { currency } = preferences
  const address = getAccount(kit.getState(), namespace)?.address
  const refetching = queryClient.refetchQueries(
    {
      queryKey: queryKey(kit, '').slice(0, 2),
      type: 'active',
      predicate: ({ queryKey: [, , name] }) => others.includes(name as string),
    },
    { throwOnError: true },
  )
  if (hasTokens) {
    const list = await getTokens(kit, { namespace, currency, refresh: true })
    queryClient.setQueryData(queryKey(kit, 'tokens', namespace, address, currency), list)
  }
  await refetching
}
