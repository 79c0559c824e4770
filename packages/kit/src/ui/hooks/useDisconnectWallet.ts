import { useState } from 'react'

import { disconnectWallet } from '../../core/connection/linkedWallets.ts'
import type { Connector } from '../../core/connection/Connector.ts'
import { useInstance } from '../../react/context.ts'

/** Disconnects a wallet; `busy` is true until it is disconnected. */
export function useDisconnectWallet(connector: Pick<Connector, 'id' | 'chain'> | undefined): {
  busy: boolean
  disconnect: () => void
} {
  const kit = useInstance()
  const [busy, setBusy] = useState(false)
  const disconnect = () => {
    if (!connector) return
    setBusy(true)
    void disconnectWallet(kit, { namespace: connector.chain, connectorId: connector.id }).finally(
      () => setBusy(false),
    )
  }
  return { busy, disconnect }
}
