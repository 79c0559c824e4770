import type { CreateConnectorFn } from '@wagmi/core'
import { numberToHex, SwitchChainError, UserRejectedRequestError } from 'viem'
import type { Address } from 'viem'

import { ConnectError, UserRejectedError } from '../../../core/kit/errors.ts'
import { granted } from '../../../core/walletConnect/granted.ts'
import type { WalletConnect } from '../../../core/walletConnect/WalletConnect.ts'
import type { Evm } from '../context.ts'
import { hasCode } from '../failure.ts'
import { createProvider } from './createProvider.ts'
import type { SessionProvider } from './createProvider.ts'

type Methods = ReturnType<CreateConnectorFn>
type Emitter = Parameters<CreateConnectorFn>[0]['emitter']

/** The wallet does not know the chain, in the ways wallets say so. @see spec §4.6.3 */
const unknownChain = [4902, -32603, 32603, 5000, 4200] as const

/**
 * What wagmi's connector does, once it is used: connects a session's accounts, asks for a session
 * where there is none, switches chains and tells wagmi the wallet's news.
 *
 * @see register.ts
 */
export function createMethods(evm: Evm, walletConnect: WalletConnect, emitter: Emitter) {
  let provider: SessionProvider | undefined

  function getProvider(): SessionProvider {
    if (provider) return provider
    const made = createProvider(evm, walletConnect)
    const onAccounts = (accounts: readonly Address[]) => emitter.emit('change', { accounts })
    made.on('accountsChanged', onAccounts)
    made.on('session', onAccounts)
    made.on('chainChanged', (chainId: string) =>
      emitter.emit('change', { chainId: Number(chainId) }),
    )
    made.on('disconnect', () => emitter.emit('disconnect'))
    provider = made
    return made
  }

  const methods = {
    async connect({ chainId, isReconnecting }: NonNullable<Parameters<Methods['connect']>[0]>) {
      const found = await walletConnect.restore()
      if (!found) {
        if (isReconnecting) throw new ConnectError({ details: 'There is no session any more.' })
        await ask()
      }
      const wallet = getProvider()
      // Only among what was granted: a wallet that has just agreed is not asked again.
      if (chainId) wallet.select(chainId)
      return { accounts: wallet.accounts(), chainId: wallet.chainId() }
    },
    disconnect: () => walletConnect.disconnect(),
    getAccounts: async () => getProvider().accounts(),
    getChainId: async () => getProvider().chainId(),
    getProvider: async () => getProvider(),
    async isAuthorized() {
      return Boolean(await walletConnect.restore())
    },
    async switchChain(parameters: Parameters<NonNullable<Methods['switchChain']>>[0]) {
      const { chainId, addEthereumChainParameter } = parameters
      const chain = evm.config.chains.find(({ id }) => id === chainId)
      if (!chain) throw new SwitchChainError(new Error(`Chain ${chainId} is not configured.`))
      const hex = numberToHex(chainId)
      const wallet = getProvider()
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
            .request({ method: 'wallet_addEthereumChain', params: [chainParameter] })
            .catch((cause: unknown) => {
              // Where the wallet adds no chains, why it did not switch says more.
              throw hasCode(cause, 4200) ? error : cause
            })
          if (wallet.chainId() !== chainId) await switchTo()
        })
      } catch (error) {
        throw hasCode(error, 4001)
          ? new UserRejectedRequestError(error as Error)
          : new SwitchChainError(error as Error)
      }
      return chain
    },
    /** CAIP-2 ids of the session; undefined where the wallet takes further ones. */
    approvedNetworkIds() {
      const session = walletConnect.session()
      if (!session) return undefined
      const { chains, methods: may } = granted(session, 'eip155')
      return may.has('wallet_addEthereumChain') || may.has('wallet_switchEthereumChain')
        ? undefined
        : [...chains].map((chain) => `eip155:${chain}` as const)
    },
    release: () => provider?.destroy(),
  }

  /** For a site that connects through wagmi itself: the URI is told as wagmi's own connector does. */
  async function ask(): Promise<void> {
    try {
      const { uri, approval } = await walletConnect.propose()
      emitter.emit('message', { type: 'display_uri', data: uri })
      await approval()
    } catch (error) {
      throw error instanceof UserRejectedError ? new UserRejectedRequestError(error) : error
    }
  }
  return methods
}
