import { gatefoldLocal, gatefoldSecond, startChain } from '@gatefold/chain'
import type { Chain } from '@gatefold/chain'
import { createTestWallet } from '@gatefold/wallets/testing'
import type { createDemoWallet, DemoWallet } from '@gatefold/wallets/testing'
import { afterAll, beforeAll } from 'vitest'

import type { AdapterEvent } from '../../../core/connection/Adapter.ts'
import { toNetwork } from '../../../core/networks/Network.ts'
import type { Network, NetworkInput } from '../../../core/networks/Network.ts'
import type { WalletConnect } from '../../../core/walletConnect/WalletConnect.ts'
import { memoryStorage } from '../../../core/storage/storage.ts'
import type { KeyValueStorage } from '../../../core/storage/storage.ts'
import type { EvmAdapter, EvmOptions } from '../context.ts'
import { evm } from '../evm.ts'

/** Two real chains for the tests of a file. */
export function useChains() {
  const chains = {} as { first: Chain; second: Chain }
  beforeAll(async () => {
    ;[chains.first, chains.second] = await Promise.all([
      startChain({ chainId: 31337 }),
      startChain({ chainId: 31338 }),
    ])
  }, 60_000)
  afterAll(() => Promise.all([chains.first?.stop(), chains.second?.stop()]))
  return chains
}

/** A page: events, wallets that have announced themselves, and an adapter on it. */
export function createPage(chains: { first: Chain; second: Chain }) {
  const target = new EventTarget()
  const page = Object.assign(target, { ethereum: undefined } as { ethereum?: unknown })
  Object.defineProperty(globalThis, 'window', { value: page, configurable: true, writable: true })
  const wallets: DemoWallet[] = []
  const adapters: EvmAdapter[] = []
  const local = gatefoldLocal(chains.first.url)
  const second = gatefoldSecond(chains.second.url)
  const networks = [local, second].map((chain) => toNetwork(chain as NetworkInput)) as [
    Network,
    Network,
  ]

  return {
    window: page,
    local,
    second,
    networks,
    /** A wallet with both chains; it announces itself unless told otherwise. */
    wallet(options: Partial<createDemoWallet.Options> & { announced?: boolean } = {}): DemoWallet {
      const { announced = true, ...rest } = options
      const wallet = createTestWallet({
        chains: [
          { id: 31337, rpcUrl: chains.first.url },
          { id: 31338, rpcUrl: chains.second.url },
        ],
        ...rest,
      })
      if (announced) wallet.announce(page)
      wallets.push(wallet)
      return wallet
    },
    /** An adapter that has started, with everything it has told. */
    adapter(
      options: EvmOptions & {
        networks?: readonly Network[]
        storage?: KeyValueStorage
        eip6963?: boolean
        injected?: boolean
        started?: boolean
        walletConnect?: WalletConnect
      } = {},
    ) {
      const { storage = memoryStorage(), eip6963 = true, injected = true, ...rest } = options
      const events: AdapterEvent[] = []
      const list = { networks: options.networks ?? networks }
      const adapter = evm(rest).create({
        networks: () => list.networks,
        defaultNetwork: () => list.networks[0],
        storage,
        walletConnect: options.walletConnect,
        emit: (event) => void events.push(event),
        options: { ssr: false, eip6963, injected },
      }) as EvmAdapter
      adapters.push(adapter)
      if (options.started !== false) adapter.start()
      return {
        adapter,
        events,
        storage,
        list,
        connectors: () => events.findLast((event) => event.type === 'connectors')?.connectors ?? [],
        /** What was told since the last call, the list of wallets left out. */
        news: () => events.splice(0).filter(({ type }) => type !== 'connectors'),
      }
    },
    close() {
      for (const adapter of adapters) adapter.destroy()
      for (const wallet of wallets) wallet.destroy()
      Reflect.deleteProperty(globalThis, 'window')
    },
  }
}

export type Page = ReturnType<typeof createPage>

type Request = DemoWallet['provider']['request']

/** Answers for a wallet, or changes what it is asked. Returns what ends it. */
export function intercept(
  wallet: DemoWallet,
  answer: (args: Parameters<Request>[0], pass: Request) => Promise<unknown>,
): () => void {
  const pass = wallet.provider.request.bind(wallet.provider)
  wallet.provider.request = (args) => answer(args, pass)
  return () => {
    wallet.provider.request = pass
  }
}
