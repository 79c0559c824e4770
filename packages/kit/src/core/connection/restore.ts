import { CaipAddress, CaipNetworkId, limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import type { Kit } from '../kit/Kit.ts'
import type { ResolvedOptions } from '../kit/options.ts'
import type { State } from '../kit/state.ts'
import type { PersistedState } from '../storage/storage.ts'
import { findConnector } from './Connector.ts'
import type { Connector } from './Connector.ts'
import type { Session } from './Session.ts'

/** The time a connector has to restore a session; wallets of the browser have less of their own. */
const restoreTimeoutMs = 60_000

/**
 * The state as it was when the page was left: selected networks, and the accounts that are about to
 * be restored.
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
    const active = activeOf(stored, namespace)
    const account = stored.accounts[namespace]
    chains[namespace] = {
      ...chain,
      ...(known && CaipNetworkId.is(networkId) && { networkId }),
      ...(active && { status: 'reconnecting' }),
      ...(active &&
        CaipAddress.is(account) && {
          connectorId: active,
          connections: [
            {
              connectorId: active,
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
 * Starts adapters and connectors, and restores earlier connections without asking the visitor.
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
  kit.dispatch({ type: 'connectors.added', connectors: [...kit.connectors.values()] })

  for (const adapter of kit.adapters.values()) adapter.start()
  for (const connector of kit.connectors.values()) connector.start?.()
  if (kit.adapters.size === 0) await restoreWithoutAdapters(kit)
  await Promise.all(
    [...kit.adapters.keys()].map((namespace) => restoreFamily(kit, namespace, stored)),
  )
}

/** Restores the connections of one chain family; all wallets are asked at once. */
async function restoreFamily(
  kit: Kit,
  namespace: ChainNamespace.ChainNamespace,
  stored: PersistedState,
): Promise<void> {
  const adapter = kit.adapters.get(namespace)
  const connectors = stored.connections[namespace] ?? {}
  const active = activeOf(stored, namespace)
  const ids = Object.keys(connectors)
    .filter((id) => connectors[id] !== 'disconnected')
    // The active one first, so that no other account is shown meanwhile.
    .toSorted((a, b) => Number(b === active) - Number(a === active))
  if (!adapter || ids.length === 0) return
  if (kit.options.enableReconnect === false) {
    await adapter.disconnect().catch(() => {})
    for (const id of ids) await kit.connectors.get(id)?.disconnect()
    const gone = Object.fromEntries(ids.map((id) => [id, 'disconnected' as const]))
    const { connections } = kit.persisted.read()
    kit.persisted.write({ connections: { ...connections, [namespace]: gone }, accounts: {} })
    return
  }
  kit.dispatch({ type: 'connection.reconnecting', namespace })
  adapter.restoring?.(true)
  const restored: string[] = []
  const pending = ids.map((id) => restoreSession(kit, namespace, id))
  for (const session of pending) session.catch(() => {}) // reported below
  for (const [index, connectorId] of ids.entries()) {
    try {
      const session = await pending[index]
      if (!session?.getState().grants[namespace]?.accounts.length) continue
      await adapter.attach({ session, active: connectorId === active, restored: true })
      restored.push(connectorId)
    } catch (error) {
      // oxlint-disable-next-line no-console -- the visitor sees a disconnected page
      console.warn('Gatefold: the earlier connection could not be restored.', error)
    }
  }
  adapter.restoring?.(false)
  for (const { connectorId } of kit.getState().chains[namespace]?.connections ?? [])
    if (!restored.includes(connectorId))
      kit.dispatch({ type: 'connection.disconnected', namespace, connectorId })
  kit.dispatch({ type: 'connection.settled', namespace })
}

/** The session of a stored connector; undefined where it is gone or takes too long. */
async function restoreSession(
  kit: Kit,
  namespace: ChainNamespace.ChainNamespace,
  connectorId: string,
): Promise<Session | undefined> {
  const connector = await discovered(kit, namespace, connectorId)
  if (!connector) return undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, restoreTimeoutMs, undefined)
  })
  try {
    return await Promise.race([connector.restore(), timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** The connector of an id; a wallet may announce itself a moment after the page has started. */
function discovered(
  kit: Kit,
  namespace: ChainNamespace.ChainNamespace,
  id: string,
): Promise<Connector | undefined> {
  const find = () => findConnector(kit.getState().connectors, id, namespace)
  const known = find()
  if (known) return Promise.resolve(known)
  return new Promise((resolve) => {
    const done = () => {
      cancel()
      stop()
      resolve(find())
    }
    const cancel = kit.later(done, limits.asyncInjectMs)
    const stop = kit.subscribe(() => find() && done())
  })
}

/** A session connects a site without adapters. */
async function restoreWithoutAdapters(kit: Kit): Promise<void> {
  for (const connector of kit.connectors.values()) {
    if (kit.options.enableReconnect === false) {
      await connector.disconnect()
      continue
    }
    try {
      const session = await connector.restore()
      if (session) await (await import('./attachSession.ts')).attachSession(kit, session)
    } catch (error) {
      // oxlint-disable-next-line no-console -- the visitor sees a disconnected page
      console.warn('Gatefold: the earlier session could not be restored.', error)
    }
  }
}

function activeOf(stored: PersistedState, namespace: string): string | undefined {
  const connectors = stored.connections[namespace] ?? {}
  return Object.keys(connectors).find((id) => connectors[id] === 'connected')
}
