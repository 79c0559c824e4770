import type { ChainNamespace } from '@gatefold/protocol'

import { AdapterNotFoundError, NetworkNotFoundError } from '../kit/errors.ts'
import type { Kit } from '../kit/Kit.ts'
import { toNetwork } from './Network.ts'
import type { NetworkInput } from './Network.ts'

/**
 * Adds a network at run time.
 *
 * @throws {AdapterNotFoundError} no adapter serves its chain family
 * @see spec §5.6.4
 */
export function addNetwork(kit: Kit, input: NetworkInput): void {
  const network = toNetwork(input, {
    gateway: kit.options.endpoints.gateway,
    projectId: kit.options.projectId,
    customRpcUrls: kit.options.customRpcUrls,
    chainImages: kit.options.chainImages,
  })
  const adapter = adapterOf(kit, network.chainNamespace)
  const others = kit
    .getState()
    .networks.filter(({ caipNetworkId }) => caipNetworkId !== network.caipNetworkId)
  kit.dispatch({ type: 'networks.changed', networks: [...others, network] })
  adapter.networksChanged?.()
}

/**
 * Removes a network, except the last one.
 *
 * @throws {AdapterNotFoundError} no adapter serves the chain family
 * @throws {NetworkNotFoundError} it is not configured, or is the only network
 * @see spec §5.6.4
 */
export function removeNetwork(
  kit: Kit,
  parameters: { namespace: ChainNamespace.ChainNamespace; id: string | number },
): void {
  const { namespace, id } = parameters
  const adapter = adapterOf(kit, namespace)
  const { networks } = kit.getState()
  const rest = networks.filter(
    (network) => !(network.chainNamespace === namespace && String(network.id) === String(id)),
  )
  if (rest.length === networks.length || rest.length === 0)
    throw new NetworkNotFoundError({ networkId: id })
  kit.dispatch({ type: 'networks.changed', networks: rest })
  const remaining = rest.find(({ chainNamespace }) => chainNamespace === namespace)
  const active = kit.getState().chains[namespace]?.networkId
  if (remaining && !rest.some(({ caipNetworkId }) => caipNetworkId === active))
    kit.dispatch({
      type: 'connection.networkSelected',
      namespace,
      networkId: remaining.caipNetworkId,
    })
  adapter.networksChanged?.()
}

function adapterOf(kit: Kit, namespace: ChainNamespace.ChainNamespace) {
  const adapter = kit.adapters.get(namespace)
  if (!adapter) throw new AdapterNotFoundError(namespace)
  return adapter
}
