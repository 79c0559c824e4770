import { limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import type { KitInstance } from '../kit/Kit.ts'
import type { State } from '../kit/state.ts'
import { pendingKey } from '../money/pending/pendingKey.ts'
import { whenLoaded } from '../platform/whenIdle.ts'
import { defaultStorage } from '../storage/storage.ts'
import type { PersistedState } from '../storage/storage.ts'
import type { Adapter } from './Adapter.ts'
import { attachSession } from './attachSession.ts'
import { findConnector } from './Connector.ts'
import type { Connector } from './Connector.ts'
import { activeOf } from './restore.ts'
import type { Session } from './Session.ts'

/** Timeout for finding a wallet, and for restoring its session; browser wallets use a shorter one. */
const restoreTimeoutMs = 60_000

/**
 * Restores the connections from the last visit.
 *
 * @param before - the state before the instance was started; its connections are not confirmed by a wallet
 * @see spec §4.1.3
 */
export async function restoreConnections(
  kit: KitInstance,
  stored: PersistedState,
  before: State,
): Promise<void> {
  void resumePending(kit)
  if (kit.adapters.size === 0) await restoreWithoutAdapters(kit)
  await Promise.all(
    [...kit.adapters.values()].map((adapter) => restoreFamily(kit, adapter, stored, before)),
  )
}

/**
 * Follows the transactions that the site submitted before the page was loaded,
 * if there are any.
 */
async function resumePending(kit: KitInstance): Promise<void> {
  try {
    if (defaultStorage().getItem(pendingKey(kit)) === null) return
    ;(await import('../money/pending/followPending.ts')).followPending(kit)
  } catch {
    // The storage or the network failed. A view that shows the transactions tries again.
  }
}

/**
 * Restores the connections of one chain family, with requests to all wallets in parallel. With
 * `enableReconnect` off, disconnects them instead.
 */
async function restoreFamily(
  kit: KitInstance,
  adapter: Adapter,
  stored: PersistedState,
  before: State,
): Promise<void> {
  const { namespace } = adapter
  const connectors = stored.connections[namespace] ?? {}
  const active = activeOf(stored, namespace)
  const known = Object.keys(connectors).filter((id) => connectors[id] !== 'disconnected')
  // Restores the active connection first, so that no other account is shown in the meantime.
  const ids = [...known.filter((id) => id === active), ...known.filter((id) => id !== active)]
  const shown = before.chains[namespace]?.connections ?? []
  if (ids.length + shown.length === 0) return
  if (kit.options.enableReconnect === false) {
    await adapter.disconnect().catch(() => {})
    for (const id of ids) await kit.connectors.get(id)?.disconnect()
    const disconnected = Object.fromEntries(ids.map((id) => [id, 'disconnected' as const]))
    const { connections, accounts } = kit.persisted.read()
    kit.persisted.write({
      connections: { ...connections, [namespace]: disconnected },
      accounts: Object.fromEntries(
        Object.entries(accounts).filter(([family]) => family !== namespace),
      ),
    })
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
  // The visitor may have connected a wallet in the meantime.
  const current = kit.getState().chains[namespace]?.connections ?? []
  for (const { connectorId } of shown.filter((connection) => current.includes(connection)))
    if (!restored.includes(connectorId))
      kit.dispatch({ type: 'connection.disconnected', namespace, connectorId })
  kit.dispatch({ type: 'connection.settled', namespace })
}

/**
 * Restores a connector's session. Undefined if the connector is not found, has no session or times out.
 */
async function restoreSession(
  kit: KitInstance,
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

/**
 * Finds a connector by id. Waits until {@link limits.asyncInjectMs} after the page has loaded, because wallets
 * may announce themselves after the page has started, and some scripts add them when it has loaded.
 */
function discovered(
  kit: KitInstance,
  namespace: ChainNamespace.ChainNamespace,
  id: string,
): Promise<Connector | undefined> {
  const find = () => findConnector(kit.getState().connectors, id, namespace)
  const known = find()
  if (known) return Promise.resolve(known)
  return new Promise((resolve) => {
    const cancels: (() => void)[] = []
    const stop = () => cancels.splice(0).forEach((cancel) => cancel())
    const done = () => {
      stop()
      resolve(find())
    }
    kit.onDestroy(stop)
    cancels.push(
      kit.subscribe(() => find() && done()),
      // An image or a script that hangs may delay the load event without end.
      kit.later(done, restoreTimeoutMs),
      whenLoaded(() => cancels.push(kit.later(done, limits.asyncInjectMs))),
    )
  })
}

/** Restores sessions on a site without adapters. */
async function restoreWithoutAdapters(kit: KitInstance): Promise<void> {
  for (const connector of kit.connectors.values()) {
    if (kit.options.enableReconnect === false) {
      await connector.disconnect()
      continue
    }
    try {
      const session = await connector.restore()
      if (session) await attachSession(kit, session)
    } catch (error) {
      // oxlint-disable-next-line no-console -- the visitor sees a disconnected page
      console.warn('Gatefold: the earlier session could not be restored.', error)
    }
  }
}
