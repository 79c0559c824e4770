import { CaipNetworkId } from '@gatefold/protocol'
import { useMemo } from 'react'

import { getNetwork } from '../../../core/connection/account.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { chainNames } from '../../../data/chainNames.ts'
import { useKitState } from '../../../react/context.ts'
import { useText } from '../../hooks/useText.ts'
import { buttonText } from '../../strings/buttons.ts'

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
    const id = CaipNetworkId.split(unsupportedId)?.reference ?? unsupportedId
    const name = chainNames[unsupportedId]
    return { name: name ?? t('button.chain', { id }), known: Boolean(name), network: undefined }
  }, [t, network, unsupportedId])
}
