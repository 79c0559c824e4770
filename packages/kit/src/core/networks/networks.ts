import type { ChainNamespace } from '@gatefold/protocol'

import { AdapterNotFoundError, NetworkNotFoundError } from '../kit/errors.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit, KitInstance } from '../kit/Kit.ts'
import { toNetwork } from './Network.ts'
import type { NetworkInput } from './Network.ts'

/**
 * Adds a network at run time, or replaces the network with the same CAIP-2 id.
 *
 * @throws {AdapterNotFoundError} no adapter serves its chain family
 * @see spec §5.6.4
 */
export function addNetwork(kit: Kit, input: NetworkInput): void {
  const instance = instanceOf(kit)
  const network = toNetwork(input, {
    gateway: instance.options.endpoints.gateway,
    projectId: instance.options.projectId,
    customRpcUrls: instance.options.customRpcUrls,
    chainImages: instance.options.chainImages,
  })
  const adapter = adapterOf(instance, network.chainNamespace)
  const others = instance
    .getState()
    .networks.filter(({ caipNetworkId }) => caipNetworkId !== network.caipNetworkId)
  instance.dispatch({ type: 'networks.changed', networks: [...others, network] })
  adapter.networksChanged?.()
}

/**
 * Removes a network at run time, unless it is the only one.
 *
 * @throws {AdapterNotFoundError} no adapter serves the chain family
 * @throws {NetworkNotFoundError} the network is not configured, or is the only one
 * @see spec §5.6.4
 */
export function removeNetwork(
  kit: Kit,
  parameters: { namespace: ChainNamespace.ChainNamespace; id: string | number },
): void {
  const instance = instanceOf(kit)
  const { namespace, id } = parameters
  const adapter = adapterOf(instance, namespace)
  const { networks } = instance.getState()
  const rest = networks.filter(
    (network) => !(network.chainNamespace === namespace && String(network.id) === String(id)),
  )
  if (rest.length === networks.length || rest.length === 0)
    throw new NetworkNotFoundError({ networkId: id })
  instance.dispatch({ type: 'networks.changed', networks: rest })
  const remaining = rest.find(({ chainNamespace }) => chainNamespace === namespace)
  const active = instance.getState().chains[namespace]?.networkId
  if (remaining && !rest.some(({ caipNetworkId }) => caipNetworkId === active))
    instance.dispatch({
      type: 'connection.networkSelected',
      namespace,
      networkId: remaining.caipNetworkId,
    })
  adapter.networksChanged?.()
}

function adapterOf(kit: KitInstance, namespace: ChainNamespace.ChainNamespace) {
  const adapter = kit.adapters.get(namespace)
  if (!adapter) throw new AdapterNotFoundError(namespace)
  return adapter
}
