import {
  connect,
  createConfig,
  createConnector,
  disconnect,
  getConnection,
  injected,
} from '@wagmi/core'
import type { Config } from '@wagmi/core'
import { http } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { AdapterNotFoundError, DisconnectError } from '../../core/kit/errors.ts'
import { createPage, useChains } from './testing/page.ts'
import type { Page } from './testing/page.ts'
import { evmConfig } from './evmConfig.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const halyard = 'dev.gatefold.halyard'

function hostConfig(connectors: Parameters<typeof createConfig>[0]['connectors'] = []): Config {
  return createConfig({
    chains: [page.local, page.second],
    connectors,
    storage: null,
    transports: { 31337: http(), 31338: http() },
  } as never)
}

test('a config of the site’s own is used: its wallets are offered, its actions are seen', async () => {
  page.wallet()
  const config = hostConfig()
  const { adapter, connectors, news } = page.adapter({ config })
  expect(evmConfig({ adapters: new Map([['eip155', adapter]]) })).toBe(config)
  expect(connectors()).toMatchObject([{ id: halyard, type: 'ANNOUNCED' }])

  const connector = config.connectors.find(({ id }) => id === halyard)!
  await connect(config, { connector })
  expect(news()).toMatchObject([
    { type: 'connected', connection: { connectorId: halyard }, active: true },
  ])
  await disconnect(config)
  expect(news()).toEqual([{ type: 'disconnected', connectorId: halyard }])
})

test('wagmi’s actions see what the kit does', async () => {
  page.wallet()
  const config = hostConfig()
  const { adapter } = page.adapter({ config })
  await adapter.connect({ connectorId: halyard, network: page.networks[1] })
  expect(getConnection(config)).toMatchObject({ status: 'connected', chainId: 31338 })
  await adapter.disconnect()
  expect(getConnection(config).status).toBe('disconnected')
})

test('connections made before the kit started are reported at its start', async () => {
  page.wallet()
  const config = hostConfig()
  const connector = config.connectors.find(({ id }) => id === halyard)!
  await connect(config, { connector })
  const { news } = page.adapter({ config })
  expect(news()).toMatchObject([{ type: 'connected', active: true }])
})

test('destroying the kit leaves the site’s config connected', async () => {
  page.wallet()
  const config = hostConfig()
  const { adapter } = page.adapter({ config })
  await adapter.connect({ connectorId: halyard })
  adapter.destroy()
  expect(getConnection(config).status).toBe('connected')
})

test('a site’s injected connector for one wallet is an external one', () => {
  page.wallet({ announced: false })
  const config = hostConfig([injected({ target: 'metaMask' })])
  expect(page.adapter({ config }).connectors()).toMatchObject([
    { id: 'metaMask', type: 'EXTERNAL' },
  ])
})

/** A connector as a session with a phone would be. */
function bridge(options: { disconnect(): Promise<void> }) {
  const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  let chainId = 31337
  const asked: unknown[] = []
  const fn = createConnector(
    ({ emitter }) =>
      ({
        id: 'bridge',
        name: 'Bridge',
        type: 'bridge',
        connect: async (parameters: { chainId?: number } = {}) => {
          asked.push(['connect', parameters.chainId])
          chainId = parameters.chainId ?? chainId
          return { accounts: [account], chainId }
        },
        disconnect: () => options.disconnect(),
        getAccounts: async () => [account],
        getChainId: async () => chainId,
        getProvider: async () => ({ request: async () => null }),
        isAuthorized: async () => false,
        switchChain: async ({ chainId: id }: { chainId: number }) => {
          asked.push(['switchChain', id])
          chainId = id
          emitter.emit('change', { chainId })
          return page.second
        },
        onAccountsChanged() {},
        onChainChanged() {},
        onDisconnect() {},
      }) as never,
  )
  return { fn, asked }
}

test('a connector of the site receives the network on connect and switches itself', async () => {
  const { fn, asked } = bridge({ disconnect: async () => {} })
  const { adapter } = page.adapter({ connectors: [fn] })
  await adapter.connect({ connectorId: 'bridge', network: page.networks[1] })
  await adapter.switchNetwork({ network: page.networks[0] })
  expect(asked).toEqual([
    ['connect', 31338],
    ['switchChain', 31337],
  ])
})

test('§5.9.3 a session that the peer deleted is no failure to disconnect', async () => {
  const { fn } = bridge({
    disconnect: async () => {
      throw new Error('No matching key. session topic doesn’t exist: 12ab')
    },
  })
  const { adapter, news } = page.adapter({ connectors: [fn] })
  await adapter.connect({ connectorId: 'bridge' })
  news()
  await adapter.disconnect()
  expect(news()).toEqual([{ type: 'disconnected', connectorId: 'bridge' }])
})

test('error: §8.4 another failure is reported, and the site is disconnected nevertheless', async () => {
  const { fn } = bridge({
    disconnect: async () => {
      throw new Error('The phone is off.')
    },
  })
  const { adapter, news } = page.adapter({ connectors: [fn] })
  await adapter.connect({ connectorId: 'bridge' })
  news()
  const error = await adapter.disconnect().catch((e: unknown) => e)
  expect(error).toBeInstanceOf(DisconnectError)
  expect(error).toMatchObject({ shortMessage: 'Failed to disconnect' })
  expect(news()).toEqual([{ type: 'disconnected', connectorId: 'bridge' }])
})

test('error: an instance without EVM has no wagmi config; EVM without networks is no instance', () => {
  expect(() => evmConfig({ adapters: new Map() })).toThrow(AdapterNotFoundError)
  expect(() => page.adapter({ networks: [] })).toThrow(/needs at least one EVM network/)
})

test('connections that wagmi has read from its storage are not reported before they are restored', async () => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  const { createStorage } = await import('@wagmi/core')
  const create = () =>
    createConfig({
      chains: [page.local],
      storage: createStorage({ storage }),
      transports: { 31337: http() },
    })
  page.wallet()
  const before = create()
  await connect(before, { connector: before.connectors[0]! })
  await vi.waitFor(() => expect(stored.get('wagmi.store')).toContain(halyard))

  const config = create() as unknown as Config
  const { adapter, news } = page.adapter({ config })
  await vi.waitFor(() => expect(config.state.connections.size).toBe(1))
  expect(news()).toEqual([])
  await adapter.reconnect({ connectorIds: [halyard], current: halyard })
  expect(news()).toMatchObject([{ type: 'connected', active: true }])
  expect(config.state.connections.size).toBe(1)
})
