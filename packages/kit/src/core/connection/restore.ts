import { CaipAddress, CaipNetworkId } from '@gatefold/protocol'

import type { Kit } from '../kit/Kit.ts'
import type { ResolvedOptions } from '../kit/options.ts'
import type { State } from '../kit/state.ts'
import type { PersistedState } from '../storage/storage.ts'

/**
 * The state as it was when the page was left: networks chosen, accounts that are about to come back.
 *
 * @see spec §4.1.3
 */
export function restoredState(
  blank: State,
  stored: PersistedState,
  options: ResolvedOptions,
): State {
  if (options.enableReconnect === false) return blank
  const chains = { ...blank.chains }
  for (const namespace of options.namespaces) {
    const chain = chains[namespace]
    if (!chain) continue
    const networkId = stored.networks[namespace]
    const known = blank.networks.some(({ caipNetworkId }) => caipNetworkId === networkId)
    const current = currentOf(stored, namespace)
    const account = stored.accounts[namespace]
    chains[namespace] = {
      ...chain,
      ...(known && CaipNetworkId.is(networkId) && { networkId }),
      ...(current && { status: 'reconnecting' }),
      ...(current &&
        CaipAddress.is(account) && {
          connectorId: current,
          connections: [
            {
              connectorId: current,
              accounts: [{ namespace, address: CaipAddress.parse(account).address, type: 'eoa' }],
              caipNetworkId: CaipAddress.parse(account).caipNetworkId,
            },
          ],
        }),
    }
  }
  const namespace = options.namespaces.find((candidate) => candidate === stored.namespace)
  return { ...blank, chains, namespace: namespace ?? blank.namespace }
}

/**
 * Starts the adapters and brings back what was connected, without asking the visitor.
 *
 * @see spec §4.1.3–4, §8.11.6
 */
export async function restore(kit: Kit): Promise<void> {
  const stored = kit.persisted.read()
  const before = kit.getState()
  const state = restoredState(before, stored, kit.options)
  for (const [namespace, chain] of Object.entries(state.chains)) {
    const key = namespace as keyof State['chains']
    if (chain.networkId && chain.networkId !== before.chains[key]?.networkId)
      kit.dispatch({
        type: 'connection.networkSelected',
        namespace: key,
        networkId: chain.networkId,
      })
  }
  kit.dispatch({ type: 'namespace.activated', namespace: state.namespace })
  kit.dispatch({ type: 'recent.changed', recent: stored.recent })

  // A wallet may still say yes to what the page before this one offered; a lost part says nothing.
  if (kit.walletConnect?.remembers()) kit.walletConnect.preload().catch(() => {})
  if (kit.adapters.size === 0) await restoreSession(kit)
  await Promise.all(
    [...kit.adapters].map(async ([namespace, adapter]) => {
      adapter.start()
      const connectors = stored.connections[namespace] ?? {}
      const ids = Object.keys(connectors).filter((id) => connectors[id] !== 'disconnected')
      if (ids.length === 0) return
      if (kit.options.enableReconnect === false) {
        await adapter.disconnect().catch(() => {})
        const gone = Object.fromEntries(ids.map((id) => [id, 'disconnected' as const]))
        const { connections } = kit.persisted.read()
        kit.persisted.write({ connections: { ...connections, [namespace]: gone }, accounts: {} })
        return
      }
      kit.dispatch({ type: 'connection.reconnecting', namespace })
      let back: readonly string[] = []
      try {
        const current = currentOf(stored, namespace)
        const found = await adapter.reconnect({ connectorIds: ids, current })
        back = found.map(({ connectorId }) => connectorId)
      } catch (error) {
        // oxlint-disable-next-line no-console -- the visitor just sees a disconnected page
        console.warn('Gatefold: the earlier connection could not be restored.', error)
      }
      const known = kit.getState().networks.map(({ caipNetworkId }) => caipNetworkId)
      for (const { connectorId } of kit.getState().chains[namespace]?.connections ?? [])
        if (!back.includes(connectorId))
          kit.dispatch({ type: 'connection.disconnected', namespace, connectorId, known })
      kit.dispatch({ type: 'connection.settled', namespace })
    }),
  )
}

/** The session of a site without adapters, which connects by itself. */
async function restoreSession(kit: Kit): Promise<void> {
  const { walletConnect } = kit
  if (!walletConnect?.remembers()) return
  if (kit.options.enableReconnect === false) return walletConnect.disconnect()
  try {
    const session = await walletConnect.restore()
    if (session) await (await import('../walletConnect/pair.ts')).connectSession(kit, session)
  } catch (error) {
    // oxlint-disable-next-line no-console -- the visitor just sees a disconnected page
    console.warn('Gatefold: the earlier session could not be restored.', error)
  }
}

function currentOf(stored: PersistedState, namespace: string): string | undefined {
  const connectors = stored.connections[namespace] ?? {}
  return Object.keys(connectors).find((id) => connectors[id] === 'connected')
}
