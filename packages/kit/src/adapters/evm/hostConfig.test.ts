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
import { afterEach, beforeEach, expect, test } from 'vitest'

import { AdapterNotFoundError } from '../../core/kit/errors.ts'
import { DisconnectError } from '../../core/kit/requestErrors.ts'
import { createPage, useChains } from './testing/page.ts'
import type { Page } from './testing/page.ts'
import { createKit } from '../../core/kit/createKit.ts'
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

test('the site’s own config is used: the config’s wallets are listed, and wagmi actions update the kit', async () => {
  page.wallet()
  const config = hostConfig()
  const { adapter, connectors, newEvents } = page.adapter({ config })
  expect(adapter.config).toBe(config)
  expect(connectors()).toMatchObject([{ id: halyard, type: 'ANNOUNCED' }])

  const connector = config.connectors.find(({ id }) => id === halyard)!
  await connect(config, { connector })
  expect(newEvents()).toMatchObject([
    { type: 'connected', connection: { connectorId: halyard }, active: true },
  ])
  await disconnect(config)
  expect(newEvents()).toEqual([{ type: 'disconnected', connectorId: halyard }])
})

test('wagmi’s actions reflect changes in the kit', async () => {
  page.wallet()
  const config = hostConfig()
  const { adapter } = page.adapter({ config })
  await adapter.connect({ connectorId: halyard, network: page.networks[1] })
  expect(getConnection(config)).toMatchObject({ status: 'connected', chainId: 31338 })
  await adapter.disconnect()
  expect(getConnection(config).status).toBe('disconnected')
})

test('connections made before the kit started are reported once it starts', async () => {
  page.wallet()
  const config = hostConfig()
  const connector = config.connectors.find(({ id }) => id === halyard)!
  await connect(config, { connector })
  const { newEvents } = page.adapter({ config })
  expect(newEvents()).toMatchObject([{ type: 'connected', active: true }])
})

test('destroying the kit leaves the site’s config connected', async () => {
  page.wallet()
  const config = hostConfig()
  const { adapter } = page.adapter({ config })
  await adapter.connect({ connectorId: halyard })
  adapter.destroy()
  expect(getConnection(config).status).toBe('connected')
})

test('the site’s injected connector for a specific wallet has the type external', () => {
  page.wallet({ announced: false })
  const config = hostConfig([injected({ target: 'metaMask' })])
  expect(page.adapter({ config }).connectors()).toMatchObject([
    { id: 'metaMask', type: 'EXTERNAL' },
  ])
})

/** A wagmi connector with a session, like a phone wallet's. */
function bridge(options: { disconnect(): Promise<void> }) {
  const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  let chainId = 31337
  const calls: unknown[] = []
  const fn = createConnector(
    ({ emitter }) =>
      ({
        id: 'bridge',
        name: 'Bridge',
        type: 'bridge',
        connect: async (parameters: { chainId?: number } = {}) => {
          calls.push(['connect', parameters.chainId])
          chainId = parameters.chainId ?? chainId
          return { accounts: [account], chainId }
        },
        disconnect: () => options.disconnect(),
        getAccounts: async () => [account],
        getChainId: async () => chainId,
        getProvider: async () => ({ request: async () => null }),
        isAuthorized: async () => false,
        switchChain: async ({ chainId: id }: { chainId: number }) => {
          calls.push(['switchChain', id])
          chainId = id
          emitter.emit('change', { chainId })
          return page.second
        },
        onAccountsChanged() {},
        onChainChanged() {},
        onDisconnect() {},
      }) as never,
  )
  return { fn, calls }
}

test('the site’s connector receives the network when it connects, and handles a later switch itself', async () => {
  const { fn, calls } = bridge({ disconnect: async () => {} })
  const { adapter } = page.adapter({ connectors: [fn] })
  await adapter.connect({ connectorId: 'bridge', network: page.networks[1] })
  await adapter.switchNetwork({ network: page.networks[0] })
  expect(calls).toEqual([
    ['connect', 31338],
    ['switchChain', 31337],
  ])
})

test('§5.9.3 disconnecting a session that the peer deleted succeeds', async () => {
  const { fn } = bridge({
    disconnect: async () => {
      throw new Error('No matching key. session topic doesn’t exist: 12ab')
    },
  })
  const { adapter, newEvents } = page.adapter({ connectors: [fn] })
  await adapter.connect({ connectorId: 'bridge' })
  newEvents()
  await adapter.disconnect()
  expect(newEvents()).toEqual([{ type: 'disconnected', connectorId: 'bridge' }])
})

test('error: §8.4 any other failure to disconnect is thrown, but the page is disconnected', async () => {
  const { fn } = bridge({
    disconnect: async () => {
      throw new Error('The phone is off.')
    },
  })
  const { adapter, newEvents } = page.adapter({ connectors: [fn] })
  await adapter.connect({ connectorId: 'bridge' })
  newEvents()
  const error = await adapter.disconnect().catch((e: unknown) => e)
  expect(error).toBeInstanceOf(DisconnectError)
  expect(error).toMatchObject({ shortMessage: 'Failed to disconnect' })
  expect(newEvents()).toEqual([{ type: 'disconnected', connectorId: 'bridge' }])
})

test('error: evmConfig throws without an EVM adapter, and evm() without EVM networks', () => {
  const kit = createKit({
    metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
    networks: page.networks,
  })
  expect(() => evmConfig(kit)).toThrow(AdapterNotFoundError)
  kit.destroy()
  expect(() => page.adapter({ networks: [] })).toThrow(/needs at least one EVM network/)
})

test('connections in wagmi’s storage are not reported before they are restored', async () => {
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
  await expect.poll(() => stored.get('wagmi.store')).toContain(halyard)

  const config = create() as unknown as Config
  const { adapter, newEvents } = page.adapter({ config })
  await expect.poll(() => config.state.connections.size).toBe(1)
  expect(newEvents()).toEqual([])
  await adapter.reconnect({ connectorIds: [halyard], current: halyard })
  expect(newEvents()).toMatchObject([{ type: 'connected', active: true }])
  expect(config.state.connections.size).toBe(1)
})
