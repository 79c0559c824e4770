import { useMemo } from 'react'

import { getNetwork } from '../../../core/connection/account.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { useKitState } from '../../../react/context.ts'
import { useText } from '../../hooks/useText.ts'
import { buttonText } from '../../strings/buttons.ts'

/** Names of common chains that the site may not support. */
const names: Record<string, string> = {
  1: 'Ethereum',
  10: 'OP Mainnet',
  56: 'BNB Smart Chain',
  100: 'Gnosis',
  137: 'Polygon',
  8453: 'Base',
  42161: 'Arbitrum One',
  43114: 'Avalanche',
  59144: 'Linea',
  11155111: 'Sepolia',
}

/**
 * The active network, or the unsupported chain that the wallet is on.
 *
 * @returns `network` is undefined on an unsupported chain; `known` is false if its name is unknown
 */
export function useCurrentNetwork(): {
  name: string
  known: boolean
  network: Network | undefined
} {
  const t = useText(buttonText)
  const network = useKitState(getNetwork)
  const unsupportedId = useKitState((state) => state.chains[state.namespace]?.unsupportedNetworkId)
  return useMemo(() => {
    if (!unsupportedId) return { name: network?.name ?? '', known: true, network }
    const id = unsupportedId.slice(unsupportedId.indexOf(':') + 1)
    const name = unsupportedId.startsWith('eip155:') ? names[id] : undefined
    return { name: name ?? t('button.chain', { id }), known: Boolean(name), network: undefined }
  }, [t, network, unsupportedId])
}
