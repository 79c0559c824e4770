import type { Network } from './Network.ts'
import type { ViewEntry } from '../view/view.ts'

/**
 * Where a wish for another network leads.
 *
 * @returns the view to show, or undefined when that network is in use already
 * @see spec §2.8; views.md “Switching rules”
 */
export function entryToSwitch(parameters: {
  network: Network
  current: Network | undefined
  /** An account of the target namespace is connected. */
  connectedThere: boolean
  /** Some account is connected, on any namespace. */
  connected: boolean
  /** The e-mail or social connector is the one in use and supports the target. */
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
