import type { Config } from '@wagmi/core'

import { handlersOf } from '../context.ts'
import type { Answer } from '../context.ts'

/** Makes a wallet's answer a connection of wagmi, and subscribes wagmi to the wallet. */
export function adopt(config: Config, answer: Answer, options: { active: boolean }): void {
  const { connector, accounts, chainId } = answer
  const events = handlersOf(config)
  connector.emitter.off('connect', events.connect)
  connector.emitter.off('change', events.change)
  connector.emitter.off('disconnect', events.disconnect)
  connector.emitter.on('change', events.change)
  connector.emitter.on('disconnect', events.disconnect)
  config.setState((state) => {
    // Connections that wagmi has read from storage have connectors without methods.
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
