import type { Config } from '@wagmi/core'

import type { Adapter, AdapterContext, AdapterFactory } from '../../core/connection/Adapter.ts'
import { NotConnectedError } from '../../core/kit/kitErrors.ts'
import { createEvmConfig, toChains } from './createEvmConfig.ts'
import { findConnection, selectChain } from './context.ts'
import type { Evm, EvmAdapter, EvmOptions } from './context.ts'
import { lazy } from '../../core/kit/lazy.ts'
import { registerWalletConnect } from './walletConnect/register.ts'
import { createProviders } from './providers.ts'
import { watchConnections } from './watchConnections.ts'
import { watchWallets } from './watchWallets.ts'

/**
 * EVM chains, on wagmi core and viem. What finds wallets and restores a connection is here; what is
 * needed once a visitor acts is loaded then.
 *
 * @example
 * createGatefold({ adapters: [evm()], networks: [mainnet], metadata })
 * @example
 * // With a wagmi config the site has already, whose hooks go on working:
 * createGatefold({ adapters: [evm({ config })], networks: [mainnet], metadata })
 */
export function evm(options: EvmOptions = {}): AdapterFactory {
  return {
    namespace: 'eip155',
    create: (context) => createEvmAdapter(context, options),
  }
}

function createEvmAdapter(outer: AdapterContext, options: EvmOptions): EvmAdapter {
  const life = new AbortController()
  const { signal } = life
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
    asked: new Map(),
    attempts: new Map(),
    sent: new Map(),
  }

  // Before `start`, so that a page rendered on a server reads from the same chain.
  if (!options.config) selectChain(shared, context.defaultNetwork())

  const reconnecting = lazy(() => import('./reconnect.ts'))
  const connecting = lazy(() => import('./chunks/connect.ts'))
  const leaving = lazy(() => import('./disconnect.ts'))
  const signing = lazy(() => import('./sign.ts'))
  const typedData = lazy(() => import('./signTypedData.ts'))
  const transactions = lazy(() => import('./transactions.ts'))
  const reads = lazy(() => import('./reads.ts'))
  const names = lazy(() => import('./names.ts'))
  const calls = lazy(() => import('./calls.ts'))

  const stops: (() => void)[] = []

  const adapter: Adapter = {
    namespace: 'eip155',
    start() {
      if (signal.aborted || stops.length > 0) return
      selectChain(shared, context.defaultNetwork())
      stops.push(watchConnections(shared), registerWalletConnect(shared), watchWallets(shared))
    },
    async preload() {
      await connecting(() => Promise.resolve())
    },
    reconnect: (parameters) => reconnecting((module) => module.reconnect(shared, parameters)),
    connect: (parameters) => connecting((module) => module.connect(shared, parameters)),
    async disconnect(parameters) {
      if (findConnection(shared, parameters?.connectorId) || config.state.connections.size > 0)
        await leaving((module) => module.disconnect(shared, parameters))
    },
    switchConnection: (parameters) =>
      leaving((module) => module.switchConnection(shared, parameters)),
    switchNetwork: (parameters) => connecting((module) => module.switchNetwork(shared, parameters)),
    getBalance: (parameters) => reads((module) => module.getBalance(shared, parameters)),
    getIdentity: (parameters) => names((module) => module.getIdentity(shared, parameters)),
    resolveName: (parameters) => names((module) => module.resolveName(shared, parameters)),
    signMessage: (parameters) => signing((module) => module.signMessage(shared, parameters)),
    signTypedData: (parameters) => typedData((module) => module.signTypedData(shared, parameters)),
    sendTransaction: (request) => transactions((module) => module.sendTransaction(shared, request)),
    waitForReceipt: (parameters) =>
      transactions((module) => module.waitForReceipt(shared, parameters)),
    estimateGas: (request) => transactions((module) => module.estimateGas(shared, request)),
    writeContract: (request) => transactions((module) => module.writeContract(shared, request)),
    getCapabilities: (parameters) => calls((module) => module.getCapabilities(shared, parameters)),
    grantPermissions: (parameters) =>
      calls((module) => module.grantPermissions(shared, parameters)),
    revokePermissions: (parameters) =>
      calls((module) => module.revokePermissions(shared, parameters)),
    getWalletAssets: (parameters) => calls((module) => module.getWalletAssets(shared, parameters)),
    sendCalls: (parameters) => calls((module) => module.sendCalls(shared, parameters)),
    getCallsStatus: (parameters) => calls((module) => module.getCallsStatus(shared, parameters)),
    async getProvider(parameters) {
      const connection = findConnection(shared, parameters?.connectorId)
      if (!connection) throw new NotConnectedError()
      return providers.original(await connection.connector.getProvider())
    },
    networksChanged() {
      const chains = toChains(context)
      if (chains && !options.config) config._internal.chains.setState(chains)
    },
    networkSelected: (network) => selectChain(shared, network),
    destroy() {
      life.abort()
      for (const stop of stops) stop()
      providers.release()
    },
  }
  return { ...adapter, config }
}
