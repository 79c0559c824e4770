import type { Network } from './Network.ts'
import type { ViewEntry } from '../view/view.ts'

/**
 * The view that handles the selection of a network.
 *
 * @returns undefined if the network is active already
 * @see spec §2.8; docs/views.md#switching-rules
 */
export function entryToSwitch(parameters: {
  network: Network
  current: Network | undefined
  /** Whether an account of the target namespace is connected. */
  connectedThere: boolean
  /** Whether an account of any namespace is connected. */
  connected: boolean
  /** Whether the email or social connector is active and supports the target. */
  authActive: boolean
  ignoreConfirmation: boolean
}): { entry: ViewEntry; replace: boolean } | undefined {
  const { network, current, connected, connectedThere, authActive, ignoreConfirmation } = parameters
  if (network.caipNetworkId === current?.caipNetworkId) return undefined
  const confirm: ViewEntry = { name: 'SwitchNetwork', data: { network } }
  if (authActive || ignoreConfirmation) return { entry: confirm, replace: false }
  if (connected && network.chainNamespace !== current?.chainNamespace && !connectedThere)
    return {
      entry: { name: 'SwitchActiveChain', data: { network, redirectTo: 'Connect' } },
      replace: true,
    }
  return { entry: confirm, replace: false }
}
