import { CaipAddress } from '@gatefold/protocol'

import type { KitInstance } from '../kit/Kit.ts'
import type { ResolvedOptions } from '../kit/options.ts'
import type { State } from '../kit/state.ts'
import type { PersistedState } from '../storage/storage.ts'

/**
 * Adds the stored values from the last visit to the state: the active chain family, the selected networks,
 * the accounts to restore, and the preferences. With `enableReconnect` off, only the preferences.
 *
 * @see spec §4.1.3
 */
export function restoredState(
  blank: State,
  stored: PersistedState,
  options: ResolvedOptions,
): State {
  const preferences = { ...blank.preferences, ...stored.preferences }
  if (options.enableReconnect === false) return { ...blank, preferences }
  const chains = { ...blank.chains }
  for (const namespace of options.namespaces) {
    const chain = chains[namespace]
    if (!chain) continue
    const network = blank.networks.find(
      ({ caipNetworkId }) => caipNetworkId === stored.networks[namespace],
    )
    const active = activeOf(stored, namespace)
    const account = CaipAddress.safeParse(stored.accounts[namespace])
    chains[namespace] = {
      ...chain,
      ...(network && { networkId: network.caipNetworkId }),
      ...(active && { status: 'reconnecting' }),
      ...(active &&
        account && {
          connectorId: active,
          connections: [
            {
              connectorId: active,
              accounts: [{ namespace, address: account.address, type: 'eoa' }],
              caipNetworkId: account.caipNetworkId,
            },
          ],
        }),
    }
  }
  const namespace = options.namespaces.find((candidate) => candidate === stored.namespace)
  return { ...blank, preferences, chains, namespace: namespace ?? blank.namespace }
}

/**
 * Starts adapters and connectors, and restores earlier connections without prompting the visitor.
 *
 * @see spec §4.1.3–4, §8.11.6
 */
export async function restore(kit: KitInstance): Promise<void> {
  const stored = kit.persisted.read()
  const before = kit.getState()
  const state = restoredState(before, stored, kit.options)
  for (const [namespace, chain] of Object.entries(state.chains)) {
    const key = namespace as keyof State['chains']
    const { networkId } = chain
    if (networkId) kit.dispatch({ type: 'connection.networkSelected', namespace: key, networkId })
  }
  kit.dispatch({ type: 'namespace.activated', namespace: state.namespace })
  // Otherwise, the state already has them.
  if (kit.options.ssr)
    kit.dispatch({ type: 'preferences.changed', preferences: stored.preferences })
  kit.dispatch({ type: 'connectors.added', connectors: [...kit.connectors.values()] })

  for (const adapter of kit.adapters.values()) adapter.start()
  for (const connector of kit.connectors.values()) connector.start?.()
  const isStored = Object.values(stored.connections).some((connectors) =>
    Object.values(connectors).some((status) => status !== 'disconnected'),
  )
  // The server may have rendered an account that the browser has disconnected since.
  const isShown = Object.values(before.chains).some(({ connections }) => connections.length > 0)
  // On a first visit with adapters, there is nothing to restore, and the chunk is not loaded.
  if (isStored || isShown || kit.adapters.size === 0)
    await import('./restoreConnections.ts').then((module) =>
      module.restoreConnections(kit, stored, before),
    )
}

/** The stored active connector of a family. */
export function activeOf(stored: PersistedState, namespace: string): string | undefined {
  const connectors = stored.connections[namespace] ?? {}
  return Object.keys(connectors).find((id) => connectors[id] === 'connected')
}
