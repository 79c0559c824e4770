import type { CreateConnectorFn } from '@wagmi/core'
import { numberToHex, SwitchChainError, UserRejectedRequestError } from 'viem'
import type { Address, EIP1193Provider } from 'viem'

import type { SessionConnector } from '../../../core/connection/Connector.ts'
import type { Session } from '../../../core/connection/Session.ts'
import { ConnectError, UserRejectedError } from '../../../core/kit/errors.ts'
import { NotConnectedError } from '../../../core/kit/requestErrors.ts'
import type { Evm } from '../context.ts'
import { hasCode } from '../failure.ts'
import { withNodeReads } from './withNodeReads.ts'

type Methods = ReturnType<CreateConnectorFn>
type Emitter = Parameters<CreateConnectorFn>[0]['emitter']

/** Error codes sent by wallets that do not know the chain. @see spec §4.6.3 */
const unknownChain = [4902, -32603, 32603, 5000, 4200] as const

/**
 * The methods of the wagmi connector for a session connector. They attach the session (or request one), switch
 * chains, and forward the provider's events to wagmi.
 *
 * @see register.ts
 */
export function createMethods(evm: Evm, connector: SessionConnector, emitter: Emitter) {
  let session: Session | undefined
  let provider: EIP1193Provider | undefined
  let release = () => {}

  /** Subscribes to a session, and unsubscribes from the previous one. */
  async function use(next: Session): Promise<EIP1193Provider> {
    if (provider && session === next) return provider
    const wallet = withNodeReads(evm, (await next.provider('eip155')) as EIP1193Provider)
    release()
    session = next
    provider = wallet
    const readAccounts = () => wallet.request({ method: 'eth_accounts' })
    const onAccounts = (accounts: readonly Address[]) => {
      // Without accounts, the core disconnects the family, and then the session if no other family remains.
      if (accounts.length > 0) emitter.emit('change', { accounts })
    }
    const onChain = (chainId: string) => emitter.emit('change', { chainId: Number(chainId) })
    const onDisconnect = () => emitter.emit('disconnect')
    wallet.on('accountsChanged', onAccounts)
    wallet.on('chainChanged', onChain)
    wallet.on('disconnect', onDisconnect)
    // Approved chains may change without a provider event.
    const unsubscribe = next.subscribe(() => {
      if (session === next) readAccounts().then(onAccounts, () => {})
    })
    release = () => {
      unsubscribe()
      wallet.removeListener('accountsChanged', onAccounts)
      wallet.removeListener('chainChanged', onChain)
      wallet.removeListener('disconnect', onDisconnect)
    }
    return wallet
  }

  async function getProvider(): Promise<EIP1193Provider> {
    const current = await connector.restore()
    if (!current) throw new NotConnectedError()
    return use(current)
  }

  const readAccounts = async () => (await getProvider()).request({ method: 'eth_accounts' })
  const readChainId = async () =>
    Number(await (await getProvider()).request({ method: 'eth_chainId' }))
  const isGranted = (chainId: number) =>
    session
      ?.getState()
      .grants.eip155?.accounts.some(({ caipNetworkId }) => caipNetworkId === `eip155:${chainId}`)

  return {
    async connect({ chainId, isReconnecting }: NonNullable<Parameters<Methods['connect']>[0]>) {
      const found = await connector.restore()
      if (!found && isReconnecting)
        throw new ConnectError({ details: 'The session no longer exists.' })
      const wallet = await use(found ?? (await request()))
      // Switches only to a granted chain, so that a wallet that has just approved does not prompt
      // again.
      if (chainId && isGranted(chainId))
        await wallet.request({
          method: 'wallet_switchEthereumChain',
          params: [{ chainId: numberToHex(chainId) }],
        })
      return { accounts: await readAccounts(), chainId: await readChainId() }
    },
    disconnect: () => connector.disconnect(),
    getAccounts: readAccounts,
    getChainId: readChainId,
    getProvider,
    async isAuthorized() {
      return Boolean(await connector.restore())
    },
    async switchChain(parameters: Parameters<NonNullable<Methods['switchChain']>>[0]) {
      const { chainId, addEthereumChainParameter } = parameters
      const chain = evm.config.chains.find(({ id }) => id === chainId)
      if (!chain) throw new SwitchChainError(new Error(`Chain ${chainId} is not configured.`))
      const hex = numberToHex(chainId)
      const wallet = await getProvider()
      const switchTo = () =>
        wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hex }] })
      try {
        await switchTo().catch(async (error: unknown) => {
          if (!hasCode(error, ...unknownChain)) throw error
          const { blockExplorers, name, nativeCurrency, rpcUrls } = chain
          const chainParameter = {
            chainName: name,
            nativeCurrency,
            rpcUrls: rpcUrls.default.http,
            ...(blockExplorers && { blockExplorerUrls: [blockExplorers.default.url] }),
            ...addEthereumChainParameter,
            chainId: hex,
          }
          await wallet
            .request({ method: 'wallet_addEthereumChain', params: [chainParameter as never] })
            .catch((cause: unknown) => {
              // If the wallet cannot add chains, the error from the switch is more helpful.
              throw hasCode(cause, 4200) ? error : cause
            })
          if ((await readChainId()) !== chainId) await switchTo()
        })
      } catch (error) {
        throw hasCode(error, 4001)
          ? new UserRejectedRequestError(error as Error)
          : new SwitchChainError(error as Error)
      }
      return chain
    },
    release: () => release(),
  }

  /**
   * Requests a session, for sites that connect through wagmi itself. Emits the URI as a message, like
   * wagmi's connectors.
   */
  async function request(): Promise<Session> {
    try {
      return await connector.connect({
        namespace: 'eip155',
        onProgress: ({ type, uri }) => {
          if (type === 'uri' && uri) emitter.emit('message', { type: 'display_uri', data: uri })
        },
      })
    } catch (error) {
      throw error instanceof UserRejectedError ? new UserRejectedRequestError(error) : error
    }
  }
}
