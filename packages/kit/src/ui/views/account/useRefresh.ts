import { useState } from 'react'

import { showToast } from '../../../core/notifications/showToast.ts'
import { useKitContext } from '../../../react/context.ts'

/**
 * Refetches the account's balances. The code is loaded on the first call.
 *
 * @param parameters.hasTokens - whether the gateway serves tokens; otherwise, only the native balance is requested
 * @param parameters.failed - the text of the toast after a failure
 */
export function useRefresh(parameters: { hasTokens: boolean; failed: string }) {
  const { hasTokens, failed } = parameters
  const { kit, queryClient } = useKitContext()
  const [status, setStatus] = useState<'idle' | 'busy' | 'done'>('idle')
  const refresh = () => {
    setStatus('busy')
    import('./refetchBalances.ts')
      .then(({ refetchBalances }) => refetchBalances({ kit, queryClient, hasTokens }))
      .then(
        () => setStatus('done'),
        () => {
          setStatus('idle')
          showToast(kit, 'error', failed)
        },
      )
  }
  return { status, refresh }
}
