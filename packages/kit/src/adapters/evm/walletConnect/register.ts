import type { CreateConnectorFn } from '@wagmi/core'

import { walletConnectId } from '../../../core/walletConnect/WalletConnect.ts'
import type { WalletConnect } from '../../../core/walletConnect/WalletConnect.ts'
import type { Evm, WagmiConnector } from '../context.ts'
import { lazy } from '../../../core/kit/lazy.ts'
import type { Lazy } from '../../../core/kit/lazy.ts'
import type * as Module from './createMethods.ts'

/** What our connector has beyond wagmi's. */
type Own = {
  /** CAIP-2 ids the wallet agreed to; undefined where it takes further ones. @see spec §4.6 */
  approvedNetworkIds(): readonly `eip155:${string}`[] | undefined
}

/**
 * Gives wagmi a connector for wallets reached through the relay, so that its hooks work with them.
 * A site that has brought one of its own keeps that.
 *
 * @returns takes it off again
 */
export function registerWalletConnect(evm: Evm): () => void {
  const { walletConnect } = evm.context
  const { connectors } = evm.config._internal
  if (!walletConnect || evm.config.connectors.some(({ id }) => id === walletConnectId))
    return () => {}
  const releases: (() => void)[] = []
  const methods = lazy(() => import('./createMethods.ts'))
  const connector = connectors.setup(createConnector(evm, walletConnect, methods, releases))
  // A relay is asked for a session: what connects it is there when the wallet agrees.
  const stop = walletConnect.subscribe(({ type }) => {
    if (type === 'relay') methods(() => Promise.resolve()).catch(() => {})
  })
  releases.push(stop)
  connectors.setState((list) => [...list, connector])
  return () => {
    for (const release of releases) release()
    connectors.setState((list) => list.filter(({ uid }) => uid !== connector.uid))
  }
}

/** Whether a connector is the one above. */
export function isWalletConnect(connector: WagmiConnector): connector is WagmiConnector & Own {
  return connector.id === walletConnectId && 'approvedNetworkIds' in connector
}

/** Light, since it is there before a visitor acts: its methods load on first use. */
function createConnector(
  evm: Evm,
  walletConnect: WalletConnect,
  module: Lazy<typeof Module>,
  releases: (() => void)[],
): CreateConnectorFn<unknown, Own> {
  return ({ emitter }) => {
    type Methods = ReturnType<typeof Module.createMethods>
    let methods: Methods | undefined
    const call = <result>(use: (methods: Methods) => Promise<result>): Promise<result> =>
      module((loaded) => {
        if (!methods) {
          methods = loaded.createMethods(evm, walletConnect, emitter)
          releases.push(methods.release)
        }
        return use(methods)
      })
    return {
      id: walletConnectId,
      name: 'WalletConnect',
      type: walletConnectId,
      connect: ((parameters = {}) => call((own) => own.connect(parameters))) as never,
      disconnect: () => call((own) => own.disconnect()),
      getAccounts: () => call((own) => own.getAccounts()),
      getChainId: () => call((own) => own.getChainId()),
      // wagmi asks every connector for it as soon as a page is there; without a session there is none.
      getProvider: async () =>
        walletConnect.session() || walletConnect.remembers()
          ? call((own) => own.getProvider())
          : undefined,
      async isAuthorized() {
        return walletConnect.remembers() && call((own) => own.isAuthorized())
      },
      switchChain: (parameters) => call((own) => own.switchChain(parameters)),
      approvedNetworkIds: () => methods?.approvedNetworkIds(),
      // The provider tells by itself; these are for providers whose connector listens to them.
      onAccountsChanged: (accounts) => emitter.emit('change', { accounts: accounts as never }),
      onChainChanged: (chainId) => emitter.emit('change', { chainId: Number(chainId) }),
      onDisconnect: () => emitter.emit('disconnect'),
    }
  }
}
