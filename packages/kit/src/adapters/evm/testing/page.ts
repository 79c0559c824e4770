import { gatefoldLocal, gatefoldSecond, startChain } from '@gatefold/chain'
import type { Chain } from '@gatefold/chain'
import { createTestWallet } from '@gatefold/wallets/testing'
import type { createDemoWallet, DemoWallet } from '@gatefold/wallets/testing'
import { afterAll, beforeAll, vi } from 'vitest'

import type { AdapterEvent } from '../../../core/connection/Adapter.ts'
import { toNetwork } from '../../../core/networks/Network.ts'
import type { Network, NetworkInput } from '../../../core/networks/Network.ts'
import { connectionOf } from '../../../core/connection/Session.ts'
import type { SessionState } from '../../../core/connection/Session.ts'
import type {
  ConnectParameters,
  Connector,
  SessionConnector,
} from '../../../core/connection/Connector.ts'
import type { Actions, Capabilities } from '../../../core/connection/Adapter.ts'
import { memoryStorage } from '../../../core/storage/storage.ts'
import type { KeyValueStorage } from '../../../core/storage/storage.ts'
import type { EvmAdapter, EvmOptions } from '../context.ts'
import { evm } from '../evm.ts'

/** Starts two real chains for a test file. */
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

/** Creates a fake page, with functions to add wallets and adapters. */
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
    /** Creates a wallet that has both chains. By default, the wallet is announced. */
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
    /**
     * Creates an adapter and records the events that it emits. By default, the adapter is started.
     */
    adapter(
      options: EvmOptions & {
        networks?: readonly Network[]
        storage?: KeyValueStorage
        eip6963?: boolean
        injected?: boolean
        started?: boolean
        sessionConnectors?: readonly SessionConnector[]
        session?: () => SessionState | undefined
      } = {},
    ) {
      const { storage = memoryStorage(), eip6963 = true, injected = true, ...rest } = options
      const events: AdapterEvent[] = []
      const known: Connector[] = []
      const list = { networks: options.networks ?? networks }
      const adapter = evm(rest).create({
        networks: () => list.networks,
        defaultNetwork: () => list.networks[0],
        storage,
        connectors: () => options.sessionConnectors ?? [],
        session: () => options.session?.(),
        emit(event) {
          events.push(event)
          if (event.type === 'connectors') known.push(...event.connectors)
        },
        options: { ssr: false, eip6963, injected },
      }) as EvmAdapter
      adapters.push(adapter)
      if (options.started !== false) adapter.start()
      const connectors = () =>
        events.findLast((event) => event.type === 'connectors')?.connectors ?? []
      const find = (id: string) =>
        [...known, ...(options.sessionConnectors ?? [])].findLast(
          (connector) => connector.id === id,
        )
      const found = (id: string) => {
        const connector = find(id)
        if (!connector) throw new Error(`No connector ${id}`)
        return connector
      }
      const actions = Object.fromEntries(
        actionNames.map((name) => [
          name,
          async (parameters: never) => {
            const own = await adapter.actions()
            const all = Object.assign({}, own, ...Object.values(own)) as Methods
            return all[name](parameters)
          },
        ]),
      ) as Methods
      /**
       * The adapter with its actions, and with `connect` and `reconnect`, which also attach the session, as
       * the core does.
       */
      const driven = Object.assign(adapter, actions, {
        async connect({ connectorId, ...parameters }: { connectorId: string } & ConnectParameters) {
          const connector = found(connectorId)
          const session = await connector.connect(parameters)
          await adapter.attach({ session, active: true })
          return connectionOf(session.getState(), 'eip155')!
        },
        async reconnect(parameters: { connectorIds: readonly string[]; current?: string }) {
          const { connectorIds, current } = parameters
          adapter.restoring?.(true)
          const ids = connectorIds.toSorted((a, b) => Number(b === current) - Number(a === current))
          const sessions = ids.map(async (id) =>
            (find(id) ?? (await vi.waitFor(() => found(id)))).restore(),
          )
          const back = []
          for (const pending of sessions) {
            const session = await pending
            if (!session) continue
            await adapter.attach({
              session,
              active: session.connectorId === current,
              restored: true,
            })
            back.push(connectionOf(session.getState(), 'eip155')!)
          }
          adapter.restoring?.(false)
          return back
        },
      })
      return {
        adapter: driven,
        events,
        storage,
        list,
        connectors,
        /** Returns the events since the last call, except `connectors` events. */
        newEvents: () => events.splice(0).filter(({ type }) => type !== 'connectors'),
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

/**
 * Intercepts a wallet's requests: handles or modifies them. @returns a function that removes the
 * interceptor
 */
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

const actionNames = [
  'getBalance',
  'signMessage',
  'sendTransaction',
  'getIdentity',
  'resolveName',
  'signTypedData',
  'estimateGas',
  'writeContract',
  'waitForReceipt',
  'readTransaction',
  'replaceTransaction',
  'getCapabilities',
  'sendCalls',
  'getCallsStatus',
  'readCalls',
  'grantPermissions',
  'revokePermissions',
  'getWalletAssets',
  'parseAddress',
  'prepareTransfer',
  'readApproval',
  'readPermit',
  'readSwap',
  'sendTransfer',
] as const

/** The actions of the EVM adapter as one object. */
type Methods = Pick<Actions, 'getBalance' | 'signMessage' | 'sendTransaction'> &
  Capabilities['identity'] &
  Capabilities['typedData'] &
  Capabilities['contracts'] &
  Capabilities['receipts'] &
  Capabilities['pending'] &
  Capabilities['batch'] &
  Capabilities['permissions'] &
  Capabilities['transfers'] &
  Capabilities['swaps']
