import { useMemo } from 'react'

import { otherReceiveTargets, receiveTarget } from '../../../core/account/receive.ts'
import type { ReceiveTarget } from '../../../core/account/receive.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { useKitState } from '../../../react/context.ts'
import { useLastValue } from '../../hooks/useLastValue.ts'

/**
 * Where the visitor receives on a network, and on the other chain families. After the last wallet has disconnected,
 * the last value, for the exit animation.
 *
 * @param network - by default the active one
 * @returns `target` is undefined if no wallet was connected when the view opened
 */
export function useReceiveTarget(network: Network | undefined): {
  target: ReceiveTarget | undefined
  others: readonly ReceiveTarget[]
} {
  const state = useKitState((all) => all)
  const targets = useMemo(() => {
    const target = receiveTarget(state, network)
    return { target, others: target ? otherReceiveTargets(state, target.namespace) : [] }
  }, [state, network])
  return useLastValue(targets, Boolean(targets.target))
}
