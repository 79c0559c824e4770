import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { limits } from '@gatefold/protocol'
import { findLabelProblem } from '@gatefold/protocol/gateway'

import type { NameCheck } from '../core/names/checkName.ts'
import { useKitContext } from './context.ts'
import { queryKey } from './queryKey.ts'
import { useDebounced } from './useDebounced.ts'

// A separate module, because the account view needs only the registered names.

/**
 * Whether a name is available, once typing pauses. The query has no data while the label cannot be a name, and an error
 * if the name could not be checked, which does not mean that it is available.
 *
 * @param label - the name without its zone
 * @example
 * const { data, isError } = useKitNameCheck(label)
 * return isError ? 'Not checked' : data && (data.isAvailable ? 'Available' : 'Registered')
 */
export function useKitNameCheck(label: string): UseQueryResult<NameCheck> {
  const { kit, queryClient } = useKitContext()
  const wanted = label.toLowerCase()
  const settled = useDebounced(wanted, limits.searchDebounceMs)
  return useQuery(
    {
      queryKey: queryKey(kit, 'nameCheck', wanted),
      queryFn: async ({ signal }) => {
        const { checkName } = await import('../core/names/checkName.ts')
        return checkName(kit, { label: wanted, signal })
      },
      enabled:
        settled === wanted && !findLabelProblem(wanted) && Boolean(kit.options.endpoints.gateway),
      staleTime: 0,
      // A cached answer may be outdated.
      gcTime: 0,
      // The visitor is waiting for the answer, and can retry.
      retry: false,
    },
    queryClient,
  )
}

/** A function that reads names, identities and the availability of names again. */
export function useRefreshNames(): () => Promise<void> {
  const { kit, queryClient } = useKitContext()
  return async () => {
    const keys = ['names', 'identity', 'nameCheck']
    await Promise.all(
      keys.map((key) => queryClient.invalidateQueries({ queryKey: queryKey(kit, key) })),
    )
  }
}
