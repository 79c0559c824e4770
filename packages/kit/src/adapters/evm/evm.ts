import type { Config } from '@wagmi/core'

import type { Adapter, AdapterContext, AdapterFactory } from '../../core/connection/Adapter.ts'
import { createEvmConfig, toChains } from './createEvmConfig.ts'
import { findConnection, selectChain } from './context.ts'
import type { Evm, EvmAdapter, EvmOptions } from './context.ts'
import { lazy } from '../../core/kit/lazy.ts'
import { preloadSessions, registerSessionConnectors } from './sessions/register.ts'
import { createProviders } from './providers.ts'
import { watchConnections } from './connection/watchConnections.ts'
import { watchWallets } from './watchWallets.ts'

/**
 * EVM chains, on wagmi core and viem. The wagmi config and wallet discovery load with this module; the code
 * for connecting, signing and reading is in lazy chunks.
 *
 * @example
 * createGatefold({ adapters: [evm()], networks: [mainnet], metadata })
 * @example
 * // With the site's own wagmi config, whose hooks keep working:
 * createGatefold({ adapters: [evm({ config })], networks: [mainnet], metadata })
 */
export function evm(options: EvmOptions = {}): AdapterFactory {
  return {
    namespace: 'eip155',
    create: (context) => createEvmAdapter(context, options),
  }
}

function createEvmAdapter(outer: AdapterContext, options: EvmOptions): EvmAdapter {
  const destroyController = new AbortController()
  const { signal } = destroyController
  const context: AdapterContext = {
    ...outer,
    emit: (event) => {
      if (!signal.aborted) outer.emit(event)
    },
  }
  const providers = createProviders()
  const config: Config = options.config ?? createEvmConfig({ context, options, providers })
  const shared: Evm = {
    config,
    context,
    options,
    providers,
    signal,
    accountRequests: new Map(),
    attempts: new Map(),
    sessions: new Set(),
    sent: new Map(),
  }

  // Selects the chain before `start`, so that a server-rendered page reads from it too.
  if (!options.config) selectChain(shared, context.defaultNetwork())

  const connecting = lazy(() => import('./chunks/connect.ts'))
  const switching = lazy(() => import('./switchNetwork.ts'))
  const restoring = lazy(() => import('./connection/restore.ts'))
  const connections = lazy(() => import('./connection/connections.ts'))
  const actions = lazy(() => import('./actions.ts').then((module) => module.createActions(shared)))

  const stops: (() => void)[] = []

  const adapter: Adapter = {
    namespace: 'eip155',
    start() {
      if (signal.aborted || stops.length > 0) return
      selectChain(shared, context.defaultNetwork())
      stops.push(
        watchConnections(shared),
        registerSessionConnectors(shared),
        watchWallets(shared, {
          connect: (connectorId, { network, signal }) =>
            connecting((module) => module.connect(shared, { connectorId, network, signal })),
          restore: (connectorId) => restoring((module) => module.restore(shared, connectorId)),
        }),
      )
    },
    async preload(parameters) {
      const noop = () => Promise.resolve()
      const isSession = shared.sessions.has(parameters?.connectorId ?? '')
      await Promise.all([connecting(noop), isSession && preloadSessions()])
    },
    attach: (parameters) => connecting((module) => module.attach(shared, parameters)),
    detach({ connectorId }) {
      const connection = findConnection(shared, connectorId)
      if (connection) config._internal.events.disconnect({ uid: connection.connector.uid })
    },
    restoring(active) {
      config.setState((state) => {
        const pending = state.current ? 'reconnecting' : 'connecting'
        const settled = state.current ? 'connected' : 'disconnected'
        return { ...state, status: active ? pending : settled }
      })
    },
    async disconnect(parameters) {
      if (findConnection(shared, parameters?.connectorId) || config.state.connections.size > 0)
        await connections((module) => module.disconnect(shared, parameters))
    },
    switchConnection: (parameters) =>
      connections((module) => module.switchConnection(shared, parameters)),
    switchNetwork: (parameters) => switching((module) => module.switchNetwork(shared, parameters)),
    actions: () => actions(async (loaded) => loaded),
    getProvider: (parameters) => connections((module) => module.getProvider(shared, parameters)),
    networksChanged() {
      const chains = toChains(context)
      if (chains && !options.config) config._internal.chains.setState(chains)
    },
    networkSelected: (network) => selectChain(shared, network),
    destroy() {
      destroyController.abort()
      for (const stop of stops) stop()
      providers.release()
    },
  }
  return { ...adapter, config }
}
