import { useInfiniteQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { limits } from '@gatefold/protocol'

import { getAccount } from '../core/connection/account.ts'
import type { FamilyParameters } from '../core/connection/account.ts'
import type { NftCursor, NftPage } from '../core/money/nfts.ts'
import { useKitContext, useKitState } from './context.ts'
import { useRefetchAfterTransaction } from './useRefetchAfterTransaction.ts'
import { queryKey } from './queryKey.ts'

// A separate module, because only pages with this hook need TanStack's infinite queries.

/** Maximum number of pages: keeps the list bounded for an account with very many NFTs. */
const maxPages = 50

/**
 * The NFTs of the active account on all networks of the site, from the gateway. `fetchNextPage` loads more of them. The
 * list stays fresh for 30 s; it is requested again when a submitted transaction has ended and, while only its first page
 * is loaded, every 30 s.
 *
 * @example
 * const { data, fetchNextPage, hasNextPage } = useKitNfts()
 * const nfts = data?.pages.flatMap((page) => page.nfts)
 */
export function useKitNfts(
  on: FamilyParameters = {},
): UseInfiniteQueryResult<InfiniteData<NftPage>> {
  const { kit, queryClient } = useKitContext()
  const namespace = useKitState((state) => on.namespace ?? state.namespace)
  const address = useKitState((state) => getAccount(state, namespace)?.address)
  const isEnabled = Boolean(address && kit.options.endpoints.gateway)
  const query = useInfiniteQuery(
    {
      queryKey: queryKey(kit, 'nfts', namespace, address),
      queryFn: async ({ pageParam, signal }) => {
        const { getNfts } = await import('../core/money/nfts.ts')
        return getNfts(kit, { namespace, cursor: pageParam, signal })
      },
      initialPageParam: undefined as NftCursor | undefined,
      getNextPageParam: ({ next }, pages) => (pages.length < maxPages ? next : undefined),
      enabled: isEnabled,
      staleTime: limits.balanceCacheMs,
      // Refetching several pages would take many requests.
      refetchInterval: ({ state }) => state.data?.pages.length === 1 && limits.balanceCacheMs,
      retry: 1,
    },
    queryClient,
  )
  useRefetchAfterTransaction(isEnabled, query)
  return query
}
