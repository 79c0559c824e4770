import { useState } from 'react'

import { getAccount } from '../../core/connection/account.ts'
import { getTokens } from '../../core/money/tokens.ts'
import { showToast } from '../../core/notifications/showToast.ts'
import { useKitContext } from '../../react/context.ts'
import { queryKey } from '../../react/queryKey.ts'

/** The queries on screen that are refetched in addition to the tokens. */
const others = ['balance', 'nfts', 'activity']

/**
 * Refetches the account's balances, bypassing the gateway's cache.
 *
 * @param parameters.hasTokens - whether the gateway serves tokens; otherwise, only the native balance is requested
 * @param parameters.failed - the text of the toast after a failure
 */
export function useRefresh(parameters: { hasTokens: boolean; failed: string }) {
  const { kit, queryClient } = useKitContext()
  const [status, setStatus] = useState<'idle' | 'busy' | 'done'>('idle')
  async function load(): Promise<void> {
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
    if (parameters.hasTokens) {
      const list = await getTokens(kit, { namespace, currency, refresh: true })
      queryClient.setQueryData(queryKey(kit, 'tokens', namespace, address, currency), list)
    }
    await refetching
  }
  const refresh = () => {
    setStatus('busy')
    load().then(
      () => setStatus('done'),
      () => {
        setStatus('idle')
        showToast(kit, 'error', parameters.failed)
      },
    )
  }
  return { status, refresh }
}
