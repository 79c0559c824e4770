import type { CreateConnectorFn } from '@wagmi/core'

import type { SessionConnector } from '../../../core/connection/Connector.ts'
import { lazy } from '../../../core/kit/lazy.ts'
import type { Evm, WagmiConnector } from '../context.ts'
import type * as Module from './createMethods.ts'

const methodsOf = lazy(() => import('./createMethods.ts'))

/** Loads the code for attaching a session. */
export const preloadSessions = () => methodsOf(async () => {})

/**
 * Registers a wagmi connector for each session connector of the instance, so that wagmi's hooks work
 * with it. A connector that the site registered under the same id takes precedence.
 *
 * @returns a function that removes them
 */
export function registerSessionConnectors(evm: Evm): () => void {
  const { connectors } = evm.config._internal
  const releases: (() => void)[] = []
  for (const connector of evm.context.connectors()) {
    if (evm.config.connectors.some(({ id }) => id === connector.id)) continue
    const registered = connectors.setup(toWagmi(evm, connector, releases))
    evm.sessions.add(registered.id)
    connectors.setState((list) => [...list, registered])
    releases.push(() =>
      connectors.setState((list) => list.filter(({ uid }) => uid !== registered.uid)),
    )
  }
  return () => {
    for (const release of releases) release()
  }
}

/** Whether a wagmi connector was registered by `registerSessionConnectors`. */
export function isSessionConnector(evm: Evm, { id }: Pick<WagmiConnector, 'id'>): boolean {
  return evm.sessions.has(id)
}

/** Creates a wagmi connector. This function is in the initial chunk; the methods are loaded on the first call. */
function toWagmi(
  evm: Evm,
  connector: SessionConnector,
  releases: (() => void)[],
): CreateConnectorFn {
  return ({ emitter }) => {
    let methods: ReturnType<typeof Module.createMethods> | undefined
    const call = <result>(
      use: (methods: ReturnType<typeof Module.createMethods>) => Promise<result>,
    ): Promise<result> =>
      methodsOf((loaded) => {
        if (!methods) {
          methods = loaded.createMethods(evm, connector, emitter)
          releases.push(methods.release)
        }
        return use(methods)
      })
    const hasSession = () => evm.context.session(connector.id) !== undefined
    return {
      id: connector.id,
      name: connector.name,
      type: connector.id,
      connect: ((parameters = {}) => call((own) => own.connect(parameters))) as never,
      disconnect: () => call((own) => own.disconnect()),
      getAccounts: () => call((own) => own.getAccounts()),
      getChainId: () => call((own) => own.getChainId()),
      // wagmi calls this on page load; without a session there is no provider.
      getProvider: async () => (hasSession() ? call((own) => own.getProvider()) : undefined),
      isAuthorized: async () => Boolean(await connector.restore()),
      switchChain: (parameters) => call((own) => own.switchChain(parameters)),
      // `createMethods` already forwards the provider's events; wagmi calls these for providers that it
      // attaches itself.
      onAccountsChanged: (accounts) => emitter.emit('change', { accounts: accounts as never }),
      onChainChanged: (chainId) => emitter.emit('change', { chainId: Number(chainId) }),
      onDisconnect: () => emitter.emit('disconnect'),
    }
  }
}
