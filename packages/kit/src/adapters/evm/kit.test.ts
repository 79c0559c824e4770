import { createConfig, getChainId, switchChain, watchChainId } from '@wagmi/core'
import { http } from 'viem'
import { mainnet } from 'viem/chains'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { getNetwork } from '../../core/connection/account.ts'
import { connect } from '../../core/connection/connect.ts'
import { disconnect } from '../../core/connection/disconnect.ts'
import { switchNetwork } from '../../core/networks/switchNetwork.ts'
import { createKit } from '../../core/kit/createKit.ts'
import { memoryStorage } from '../../core/storage/storage.ts'
import { evm } from './evm.ts'
import { evmConfig } from './evmConfig.ts'
import { createPage, useChains } from './testing/page.ts'
import type { Page } from './testing/page.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const halyard = 'dev.gatefold.halyard'

test('§4.1.3 §4.6.1 a visitor connects, switches the network, moves to an unsupported chain, reloads the page and disconnects', async () => {
  const wallet = page.wallet()
  const storage = memoryStorage()
  const visit = async () => {
    const kit = createKit({
      networks: [page.local, page.second],
      metadata: { name: 'Book', description: '', url: 'http://localhost', icons: [] },
      adapters: [evm()],
      storage,
    })
    await kit.ready()
    return { kit, chain: () => kit.getState().chains.eip155 }
  }

  const first = await visit()
  const account = await connect(first.kit, { connectorId: halyard })
  expect(account.caipAddress).toBe('eip155:31337:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
  await switchNetwork(first.kit, { network: { caipNetworkId: 'eip155:31338' } })
  expect(first.chain()).toMatchObject({ status: 'connected', networkId: 'eip155:31338' })
  wallet.controls.switchChain(7)
  await expect
    .poll(() => first.chain())
    .toMatchObject({
      networkId: 'eip155:31338',
      unsupportedNetworkId: 'eip155:7',
    })
  first.kit.destroy()

  const countRequests = () =>
    wallet.controls.requests.filter(({ method }) => /request/i.test(method)).length
  const before = countRequests()
  const second = await visit()
  expect(second.chain()).toMatchObject({
    status: 'connected',
    connectorId: halyard,
    unsupportedNetworkId: 'eip155:7',
  })
  expect(countRequests()).toBe(before)
  expect(evmConfig(second.kit).state.status).toBe('connected')
  await disconnect(second.kit)
  expect(second.chain()).toMatchObject({ status: 'disconnected', connections: [] })
  second.kit.destroy()

  const third = await visit()
  expect(third.chain()).toMatchObject({ status: 'disconnected', connections: [] })
  third.kit.destroy()
})

test('without a wallet, wagmi reads from the network that the visitor has selected', async () => {
  const wallet = page.wallet()
  const storage = memoryStorage()
  const visit = (options: Partial<Parameters<typeof createKit>[0]> = {}) =>
    createKit({
      networks: [page.local, page.second],
      metadata: { name: 'Book', description: '', url: 'http://localhost', icons: [] },
      adapters: [evm()],
      storage,
      ...options,
    })

  const first = visit()
  const config = evmConfig(first)
  const seen: number[] = []
  watchChainId(config, { onChange: (chainId) => seen.push(chainId) })
  await first.ready()
  expect(getChainId(config)).toBe(31337)
  await switchNetwork(first, { network: { caipNetworkId: 'eip155:31338' } })
  expect(getChainId(config)).toBe(31338)
  expect(seen).toEqual([31338])
  first.destroy()

  // The selection also applies at the start of the next visit, and after a wallet on another chain has
  // disconnected.
  const second = visit()
  expect(getChainId(evmConfig(second))).toBe(31338)
  await second.ready()
  await connect(second, { connectorId: halyard })
  wallet.controls.switchChain(31337)
  await expect.poll(() => getChainId(evmConfig(second))).toBe(31337)
  await disconnect(second)
  await switchNetwork(second, { network: { caipNetworkId: 'eip155:31338' } })
  expect(getChainId(evmConfig(second))).toBe(31338)
  second.destroy()

  // The selection also applies on a server, where the kit is not started, and with the site's own
  // config.
  const rendered = visit({ ssr: true, storage: memoryStorage(), defaultNetwork: page.second })
  expect(getChainId(evmConfig(rendered))).toBe(31338)
  rendered.destroy()
  const own = createConfig({
    chains: [page.local, page.second],
    storage: null,
    transports: { 31337: http(), 31338: http() },
  })
  const third = visit({ adapters: [evm({ config: own })] })
  await third.ready()
  expect(getChainId(own)).toBe(31338)
  third.destroy()
})

test('without a wallet, wagmi’s switchChain selects the network', async () => {
  const wallet = page.wallet()
  const storage = memoryStorage()
  const config = createConfig({
    chains: [page.local, page.second, mainnet],
    storage: null,
    transports: { 31337: http(), 31338: http(), 1: http() },
  })
  const visit = async (options: Partial<Parameters<typeof createKit>[0]> = {}) => {
    const kit = createKit({
      networks: [page.local, page.second],
      metadata: { name: 'Book', description: '', url: 'http://localhost', icons: [] },
      adapters: [evm({ config })],
      storage,
      ...options,
    })
    await kit.ready()
    return { kit, selected: () => getNetwork(kit.getState())?.id }
  }

  const first = await visit()
  void first.kit.open()
  expect(first.selected()).toBe(31337)
  await switchChain(config, { chainId: 31338 })
  expect(first.selected()).toBe(31338)
  expect(first.kit.getState().view.open).toBe(true)
  // A chain that is in the site's wagmi config but not in the kit.
  await switchChain(config, { chainId: 1 })
  expect(first.selected()).toBe(31338)
  await switchNetwork(first.kit, { network: { caipNetworkId: 'eip155:31337' } })
  expect(getChainId(config)).toBe(31337)
  // Disconnecting a wallet does not select a network.
  await connect(first.kit, { connectorId: halyard })
  wallet.controls.switchChain(31338)
  await expect.poll(() => first.selected()).toBe(31338)
  await disconnect(first.kit)
  expect(first.selected()).toBe(31338)
  await switchChain(config, { chainId: 31337 })
  expect(first.selected()).toBe(31337)
  first.kit.destroy()

  await switchChain(config, { chainId: 31338 })
  const second = await visit({ adapters: [evm()] })
  expect(second.selected()).toBe(31337)
  await switchChain(evmConfig(second.kit), { chainId: 31338 })
  expect(second.selected()).toBe(31338)
  second.kit.destroy()
})

test('neither loading nor connecting sends a request to an RPC URL', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  page.wallet()
  const { adapter } = page.adapter()
  await adapter.preload()
  await adapter.connect({ connectorId: halyard })
  expect(fetched).not.toHaveBeenCalled()
  fetched.mockRestore()
})
