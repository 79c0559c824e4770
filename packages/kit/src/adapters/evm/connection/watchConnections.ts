import type { AdapterEvent } from '../../../core/connection/Adapter.ts'
import { approvedNetworkIds, liveConnections, toAccounts, toConnection } from '../context.ts'
import type { Evm } from '../context.ts'

/**
 * Converts wagmi's state changes into adapter events, whether they come from a wallet, the kit, or the
 * site's use of wagmi's hooks.
 *
 * @returns a function that stops watching
 * @see spec §4.1.5–9, §4.6.1
 */
export function watchConnections(evm: Evm): () => void {
  const { config, context } = evm
  let seen = new Map<string, Seen>()
  let current: string | undefined
  let { chainId } = config.state

  function emitChanges(): void {
    const live: readonly Seen[] = liveConnections(config).map((connection) => ({
      ...connection,
      approved: approvedNetworkIds(evm, connection.connector)?.join(),
    }))
    const now = new Map(live.map((connection) => [connection.connector.id, connection]))
    const active = live.find(({ connector }) => connector.uid === config.state.current)
    const remaining = current === undefined ? undefined : now.get(current)
    if (remaining && active !== remaining && now.size < seen.size) {
      // wagmi activates the first wallet when any wallet disconnects, even if the active one is still
      // connected.
      config.setState((state) => ({ ...state, current: remaining.connector.uid }))
      return
    }

    const events: AdapterEvent[] = []
    for (const connectorId of seen.keys())
      if (!now.has(connectorId)) events.push({ type: 'disconnected', connectorId })
    for (const [connectorId, connection] of now) {
      const before = seen.get(connectorId)
      if (!before || before.approved !== connection.approved)
        events.push({
          type: 'connected',
          connection: toConnection(evm, connection),
          active: connection === active,
        })
      else {
        const accounts = toAccounts(connection.accounts)
        if (connection.accounts.join() !== before.accounts.join())
          events.push({ type: 'accountsChanged', connectorId, accounts })
        if (connection.chainId !== before.chainId)
          events.push({
            type: 'chainChanged',
            connectorId,
            caipNetworkId: `eip155:${connection.chainId}`,
          })
      }
    }
    // Without a wallet, wagmi's `switchChain` selects the network to read from.
    if (live.length === 0 && seen.size === 0 && config.state.chainId !== chainId)
      events.push({ type: 'networkSelected', caipNetworkId: `eip155:${config.state.chainId}` })
    chainId = config.state.chainId

    const connectorId = active?.connector.id
    if (connectorId && connectorId !== current && seen.has(connectorId))
      events.push({ type: 'activated', connectorId })
    // Updated before emitting, because listeners may change wagmi's state synchronously.
    seen = now
    current = connectorId
    for (const event of events) context.emit(event)
  }

  const stop = config.subscribe((state) => state, emitChanges)
  emitChanges()
  return stop
}

type Seen = ReturnType<typeof liveConnections>[number] & { approved: string | undefined }
