import { useMemo } from 'react'

import { getNetwork } from '../../../core/connection/account.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { useKitState } from '../../../react/context.ts'
import { useText } from '../../hooks/useText.ts'
import { buttonText } from '../../strings/buttons.ts'

/** Chains a visitor is likely to come from, so that they are called by their names. */
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
 * Where the visitor is: a network of the site, or a chain it does not use.
 *
 * @returns `network` is undefined on a chain the site does not use; `known` is false where even its
 * name is not known
 */
export function useCurrentNetwork(): {
  name: string
  known: boolean
  network: Network | undefined
} {
  const t = useText(buttonText)
  const network = useKitState(getNetwork)
  const foreign = useKitState((state) => state.chains[state.namespace]?.unsupportedNetworkId)
  return useMemo(() => {
    if (!foreign) return { name: network?.name ?? '', known: true, network }
    const id = foreign.slice(foreign.indexOf(':') + 1)
    const name = foreign.startsWith('eip155:') ? names[id] : undefined
    return { name: name ?? t('button.chain', { id }), known: Boolean(name), network: undefined }
  }, [t, network, foreign])
}
