import { limits } from '@gatefold/protocol'
import { createConfig, createStorage, injected } from '@wagmi/core'
import type { Config, CreateConnectorFn } from '@wagmi/core'
import { createClient, http } from 'viem'
import type { Chain, EIP1193Provider } from 'viem'

import type { AdapterContext } from '../../core/connection/Adapter.ts'
import { OptionsError } from '../../core/kit/kitErrors.ts'
import type { KeyValueStorage } from '../../core/storage/storage.ts'
import { inTurn } from './inTurn.ts'
import type { EvmOptions } from './context.ts'
import type { Providers } from './providers.ts'

/**
 * Creates the wagmi config of an instance. Announced wallets are discovered by `watchWallets` rather than
 * wagmi, which sets up every wallet again on each announcement and never removes its listeners.
 *
 * @throws {OptionsError} if no EVM network is configured
 */
export function createEvmConfig(parameters: {
  context: AdapterContext
  options: EvmOptions
  providers: Providers
}): Config {
  const { context, options, providers } = parameters
  const chains = toChains(context)
  if (!chains)
    throw new OptionsError('evm() needs at least one EVM network', {
      code: 'options.networks',
      metaMessages: ['Add one to `networks`, or leave the adapter out.'],
    })
  return createConfig({
    chains,
    connectors: [
      ...(options.connectors ?? []),
      ...(context.options.injected ? [browserWallet(providers)] : []),
    ],
    multiInjectedProviderDiscovery: false,
    storage: createStorage({ key: 'wagmi', storage: flagStorage(context.storage) }),
    ssr: context.options.ssr,
    // A function, because networks can be added later; wagmi caches one client per chain.
    client: ({ chain }) =>
      createClient({
        chain,
        batch: { multicall: false },
        pollingInterval: options.pollingIntervalMs,
        transport: options.transports?.[chain.id] ?? toTransport(chain, options, context),
      }),
  }) as Config
}

/** The configured networks as viem chains; undefined if there are none. */
export function toChains(context: AdapterContext): readonly [Chain, ...Chain[]] | undefined {
  const chains = context.networks() as readonly unknown[] as readonly Chain[]
  return chains.length > 0 ? (chains as readonly [Chain, ...Chain[]]) : undefined
}

/** An HTTP transport that tries the chain's URLs in order. @see spec §7.12.1, §9.4.2 */
function toTransport(chain: Chain, { disableProviderPing }: EvmOptions, context: AdapterContext) {
  return inTurn(
    chain.rpcUrls.default.http.map((url) => http(url, { timeout: limits.httpTimeoutMs })),
    disableProviderPing ? undefined : (event) => context.emit(event),
  )
}

/**
 * A connector for `window.ethereum`, for wallets without EIP-6963. It adds no listeners before it is
 * connected, because the same wallet may also announce itself.
 *
 * @see spec §4.15, §9.6.5
 */
function browserWallet(providers: Providers): CreateConnectorFn {
  const create = injected({
    target: () => ({
      id: 'injected',
      name: 'Browser Wallet',
      provider: () => {
        const provider = injectedProvider()
        return provider && providers.track(provider)
      },
    }),
    unstable_shimAsyncInject: limits.asyncInjectMs,
  })
  return (config) => ({ ...create(config), setup: undefined })
}

/** The provider at `window.ethereum`. */
export function injectedProvider(): EIP1193Provider | undefined {
  return typeof window === 'undefined'
    ? undefined
    : (window as { ethereum?: EIP1193Provider }).ethereum
}

/**
 * Persists only wagmi's flags for disconnected wallets: the instance persists connections itself. Storage
 * errors are ignored, since they must not break a wallet.
 */
function flagStorage(storage: KeyValueStorage): KeyValueStorage {
  const attempt = <result>(run: () => result): result | null => {
    try {
      return run()
    } catch {
      return null
    }
  }
  const isFlag = (key: string) => !key.endsWith('.store')
  return {
    getItem: (key) => (isFlag(key) ? attempt(() => storage.getItem(key)) : null),
    setItem: (key, value) => void (isFlag(key) && attempt(() => storage.setItem(key, value))),
    removeItem: (key) => void attempt(() => storage.removeItem(key)),
  }
}
