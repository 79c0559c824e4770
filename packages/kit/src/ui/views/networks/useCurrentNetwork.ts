import { CaipNetworkId } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'
import { useMemo } from 'react'

import { getChain, getNetwork } from '../../../core/connection/account.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { chainNames } from '../../../data/chainNames.ts'
import { useKitState } from '../../../react/context.ts'
import { useText } from '../../hooks/useText.ts'
import { buttonText } from '../../strings/buttons.ts'

/**
 * The active network of a chain family, or the unsupported chain that the wallet is on.
 *
 * @param namespace - by default the active family
 * @returns `network` is undefined on an unsupported chain; `known` is false if its name is unknown
 */
export function useCurrentNetwork(namespace?: ChainNamespace.ChainNamespace): {
  name: string
  known: boolean
  network: Network | undefined
} {
  const t = useText(buttonText)
  const network = useKitState((state) => getNetwork(state, namespace))
  const unsupportedId = useKitState((state) => getChain(state, namespace)?.unsupportedNetworkId)
  return useMemo(() => {
    if (!unsupportedId) return { name: network?.name ?? '', known: true, network }
    const id = CaipNetworkId.split(unsupportedId)?.reference ?? unsupportedId
    const name = chainNames[unsupportedId]
    return { name: name ?? t('button.chain', { id }), known: Boolean(name), network: undefined }
  }, [t, network, unsupportedId])
}
