import { useState } from 'react'

import { embeddedOf } from '../../../connectors/embeddedWallet/embedded.ts'
import { embeddedId } from '../../../connectors/embeddedWallet/id.ts'
import { useInstance, useKitState } from '../../../react/context.ts'

/**
 * The account type on a network, and a function that changes it.
 *
 * @returns undefined on networks with only the standard account
 */
export function useAccountType(caipNetworkId: string | undefined) {
  const client = embeddedOf(useInstance())?.client
  const isSmart = useKitState((state) => {
    const accounts = state.sessions[embeddedId]?.grants.eip155?.accounts
    const account = accounts?.find((one) => one.caipNetworkId === caipNetworkId)
    return account?.type === 'smartAccount'
  })
  const [status, setStatus] = useState<'idle' | 'busy' | 'failed'>('idle')
  if (!caipNetworkId || !client?.current()?.hasSmartAccount(caipNetworkId)) return undefined
  return {
    isSmart,
    busy: status === 'busy',
    failed: status === 'failed',
    change: () => {
      setStatus('busy')
      client
        .use((it) => it.setAccountType(isSmart ? 'eoa' : 'smartAccount'))
        .then(
          () => setStatus('idle'),
          () => setStatus('failed'),
        )
    },
  }
}
