import type { UseQueryResult } from '@tanstack/react-query'

import { getAccount } from '../core/connection/account.ts'
import type { FamilyParameters } from '../core/connection/account.ts'
import type { AccountNames } from '../core/names/names.ts'
import { useKitContext, useKitState } from './context.ts'
import { useKitQuery } from './queries.ts'

// A separate module, so that pages without names do not load it.

/**
 * The names that the active account has registered at the gateway, and the zone in which it can register one. They are
 * read again when the visitor returns to the page, because a name may have been registered in another tab.
 *
 * @example
 * const { data } = useKitNames()
 * return data?.names[0] ?? (data?.zone && <button>Choose a name</button>)
 */
export function useKitNames(on: FamilyParameters = {}): UseQueryResult<AccountNames> {
  const { kit } = useKitContext()
  const namespace = useKitState((state) => on.namespace ?? state.namespace)
  const address = useKitState((state) => getAccount(state, namespace)?.address)
  return useKitQuery({
    name: 'names',
    key: [namespace, address],
    enabled: Boolean(address && kit.options.endpoints.gateway),
    staleTime: 0,
    load: (_, signal) =>
      import('../core/names/names.ts').then(({ getNames }) => getNames(kit, { namespace, signal })),
  })
}
