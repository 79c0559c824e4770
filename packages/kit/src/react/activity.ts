import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { limits } from '@gatefold/protocol'
import { useEffect } from 'react'

import { getAccount, getNetwork } from '../core/connection/account.ts'
import type { FamilyParameters } from '../core/connection/account.ts'
import type { ActivityPage } from '../core/money/activity.ts'
import { mergeNewest } from '../core/money/mergeNewest.ts'
import { useKitContext, useKitState } from './context.ts'
import { useRefetchAfterTransaction } from './useRefetchAfterTransaction.ts'
import { queryKey } from './queryKey.ts'

// A separate module, because only pages with this hook need TanStack's infinite queries.

/**
 * The transactions of the active account on the active network, newest first, from the gateway, with
 * values in the visitor's currency at the time of the transactions. `fetchNextPage` loads
 * older ones. While a component uses it, the first page is requested again every 30 s, and when a submitted
 * transaction has ended.
 *
 * @example
 * const { data, fetchNextPage, hasNextPage } = useKitActivity()
 * const activities = data?.pages.flatMap((page) => page.activities)
 */
export function useKitActivity(
  on: FamilyParameters = {},
): UseInfiniteQueryResult<InfiniteData<ActivityPage>> {
  const { kit, queryClient } = useKitContext()
  const namespace = useKitState((state) => on.namespace ?? state.namespace)
  const address = useKitState((state) => getAccount(state, namespace)?.address)
  const networkId = useKitState((state) => getNetwork(state, namespace)?.caipNetworkId)
  const currency = useKitState((state) => state.preferences.currency)
  const isEnabled = Boolean(address && networkId && kit.options.endpoints.gateway)
  const newestKey = queryKey(kit, 'newestActivity', address, networkId, currency)
  const load = async (cursor: string | undefined, signal: AbortSignal) => {
    const { getActivity } = await import('../core/money/activity.ts')
    return getActivity(kit, { namespace, cursor, currency, signal })
  }
  const list = useInfiniteQuery(
    {
      queryKey: queryKey(kit, 'activity', address, networkId, currency),
      queryFn: async ({ pageParam, signal }) => {
        const page = await load(pageParam, signal)
        if (pageParam === undefined) queryClient.setQueryData(newestKey, page)
        return page
      },
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next,
      enabled: isEnabled,
      staleTime: Infinity,
      refetchInterval: ({ state }) => (state.data ? false : limits.balanceCacheMs),
      retry: 1,
    },
    queryClient,
  )
  // Only the first page is requested again, because a long list has many pages that do not change.
  const newest = useQuery(
    {
      queryKey: newestKey,
      queryFn: ({ signal }) => load(undefined, signal),
      enabled: isEnabled && list.isSuccess,
      staleTime: limits.balanceCacheMs,
      refetchInterval: limits.balanceCacheMs,
      retry: 1,
    },
    queryClient,
  )
  const page = newest.data
  useEffect(() => {
    if (page)
      queryClient.setQueryData<InfiniteData<ActivityPage, string | undefined>>(
        queryKey(kit, 'activity', address, networkId, currency),
        (data) => data && mergeNewest(data, page),
      )
  }, [kit, queryClient, address, networkId, currency, page])
  useRefetchAfterTransaction(isEnabled, newest)
  return list
}
