import type { Config } from '@wagmi/core'

import { handlersOf } from './lookups.ts'
import type { WalletAccounts } from '../context.ts'

/** Adds a wallet's accounts to wagmi's connections, and subscribes wagmi to the wallet's events. */
export function adopt(config: Config, answer: WalletAccounts, options: { active: boolean }): void {
  const { connector, accounts, chainId } = answer
  const events = handlersOf(config)
  connector.emitter.off('connect', events.connect)
  connector.emitter.off('change', events.change)
  connector.emitter.off('disconnect', events.disconnect)
  connector.emitter.on('change', events.change)
  connector.emitter.on('disconnect', events.disconnect)
  config.setState((state) => {
    // Drops connections that wagmi read from storage, because their connectors have no methods.
    const live = [...state.connections].filter(([, old]) => 'getProvider' in old.connector)
    const connections = new Map(live).set(connector.uid, {
      accounts: accounts as readonly [`0x${string}`, ...`0x${string}`[]],
      chainId,
      connector,
    })
    const keep = !options.active && state.current && connections.has(state.current)
    return {
      ...state,
      connections,
      current: keep ? state.current : connector.uid,
      status: 'connected',
    }
  })
}
