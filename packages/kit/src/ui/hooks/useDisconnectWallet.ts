import { useState } from 'react'
import type { ChainNamespace } from '@gatefold/protocol'

import { showToast } from '../../core/notifications/showToast.ts'
import { toastOf } from '../../core/notifications/toasts.ts'
import { useInstance } from '../../react/context.ts'

/**
 * Disconnects a wallet, by default the active one. `busy` is true from the call to `disconnect`, which loads
 * the code for it, until the wallet is disconnected or an error is shown.
 */
export function useDisconnectWallet(wallet?: {
  connectorId: string
  namespace: ChainNamespace.ChainNamespace
}): { busy: boolean; disconnect: () => void } {
  const kit = useInstance()
  const [busy, setBusy] = useState(false)
  const disconnect = () => {
    const { chains, namespace: active } = kit.getState()
    const namespace = wallet?.namespace ?? active
    const connectorId = wallet?.connectorId ?? chains[namespace]?.connectorId
    if (connectorId === undefined) return
    setBusy(true)
    void import('../../core/connection/linkedWallets.ts')
      .then(
        ({ disconnectWallet }) => disconnectWallet(kit, { namespace, connectorId }),
        () => showToast(kit, 'error', toastOf('toast.disconnectFailed')),
      )
      .finally(() => setBusy(false))
  }
  return { busy, disconnect }
}
