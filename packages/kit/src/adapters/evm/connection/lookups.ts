import type { Config } from '@wagmi/core'

import type { Network } from '../../../core/networks/Network.ts'
import type { Evm } from '../context.ts'

// The functions on the context that only lazy chunks call.

type Events = Config['_internal']['events']

/** wagmi's own handlers of wallet events. None of them uses `this`. */
export function handlersOf(config: Config): {
  [name in keyof Events]: (data: Parameters<Events[name]>[0]) => void
} {
  return config._internal.events
}

export function findNetwork(evm: Evm, id: number | string | undefined): Network | undefined {
  return evm.context.networks().find((network) => Number(network.id) === Number(id))
}
