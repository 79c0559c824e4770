import type { AdapterEvent } from '../../../core/connection/Adapter.ts'
import { approvedNetworkIds, liveConnections, toAccounts, toConnection } from '../context.ts'
import type { Evm } from '../context.ts'

/**
 * Turns changes of wagmi's state into events, whether a wallet, the kit, or the site through wagmi's
 * own hooks made them.
 *
 * @returns stops watching
 * @see spec §4.1.5–9, §4.6.1
 */
export function watchConnections(evm: Evm): () => void {
  const { config, context } = evm
  let seen = new Map<string, Seen>()
  let current: string | undefined
  let { chainId } = config.state

  function look(): void {
    const live: readonly Seen[] = liveConnections(config).map((connection) => ({
      ...connection,
      approved: approvedNetworkIds(evm, connection.connector)?.join(),
    }))
    const now = new Map(live.map((connection) => [connection.connector.id, connection]))
    const inUse = live.find(({ connector }) => connector.uid === config.state.current)
    const stays = current === undefined ? undefined : now.get(current)
    if (stays && inUse !== stays && now.size < seen.size) {
      // wagmi activates the first wallet whenever any wallet disconnects; the active one has not.
      config.setState((state) => ({ ...state, current: stays.connector.uid }))
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
          active: connection === inUse,
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
    // Without a wallet, wagmi's `switchChain` chooses where the site reads from.
    if (live.length === 0 && seen.size === 0 && config.state.chainId !== chainId)
      events.push({ type: 'networkSelected', caipNetworkId: `eip155:${config.state.chainId}` })
    chainId = config.state.chainId

    const connectorId = inUse?.connector.id
    if (connectorId && connectorId !== current && seen.has(connectorId))
      events.push({ type: 'activated', connectorId })
    // Before the events, whose listeners may change wagmi's state at once.
    seen = now
    current = connectorId
    for (const event of events) context.emit(event)
  }

  const stop = config.subscribe((state) => state, look)
  look()
  return stop
}

type Seen = ReturnType<typeof liveConnections>[number] & { approved: string | undefined }
