import type { ChainNamespace } from '@gatefold/protocol'

import { AdapterNotFoundError } from '../kit/errors.ts'
import { LastNetworkError, NetworkNotFoundError } from '../kit/requestErrors.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit, KitInstance } from '../kit/Kit.ts'
import { toNetwork } from './Network.ts'
import type { NetworkInput } from './Network.ts'

/**
 * Adds a network at run time, or replaces the network with the same CAIP-2 id.
 *
 * @throws {AdapterNotFoundError} no adapter serves its chain family
 * @example addNetwork(kit, optimism) // from 'viem/chains'
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
 * @throws {NetworkNotFoundError} the network is not configured
 * @throws {LastNetworkError} the network is the only one
 */
export function removeNetwork(
  kit: Kit,
  parameters: {
    /** The chain family. */
    namespace: ChainNamespace.ChainNamespace
    /** The chain id. */
    id: string | number
  },
): void {
  const instance = instanceOf(kit)
  const { namespace, id } = parameters
  const adapter = adapterOf(instance, namespace)
  const { networks } = instance.getState()
  const rest = networks.filter(
    (network) => !(network.chainNamespace === namespace && String(network.id) === String(id)),
  )
  if (rest.length === networks.length) throw new NetworkNotFoundError({ networkId: id })
  if (rest.length === 0) throw new LastNetworkError({ networkId: id })
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
