import { describe, expect, test } from 'vitest'
import { mainnet, optimism } from 'viem/chains'

import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { memoryStorage } from '../storage/storage.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import { toyConnector } from '../testing/toyConnector.ts'
import { toyFamily, toyNetworks } from '../testing/toyFamily.ts'
import { useKits } from '../testing/useKits.ts'
import { push } from '../view/navigate.ts'
import type { ViewEntry } from '../view/view.ts'
import type { GatefoldOptions } from './options.ts'

const { start } = useKits()
const [halyard, nacre] = ['dev.gatefold.halyard', 'dev.gatefold.nacre'] as const

/** A site with two chain families, and a wallet for each. */
function site(options: Partial<GatefoldOptions> = {}) {
  const evm = memoryAdapter()
  const toy = toyFamily()
  const relay = toyConnector()
  const started = start({
    networks: [mainnet, optimism, ...toyNetworks],
    adapters: [evm.factory, toy.factory],
    connectors: [relay.factory],
    ...options,
  })
  const chainChanged = (caipNetworkId: `eip155:${number}`) =>
    evm.emit({ type: 'chainChanged', connectorId: halyard, caipNetworkId })
  const history = () => started.kit.getState().view.history.map(({ name }) => name)
  const isOpen = () => started.kit.getState().view.open
  return { ...started, evm, relay, chainChanged, history, isOpen }
}

/** The same site, with a connected wallet. */
async function connectedSite(options?: Partial<GatefoldOptions>) {
  const made = site(options)
  await connect(made.kit, { connectorId: halyard })
  return made
}

describe('the active chain family', () => {
  test('§4.1.5 changes when a wallet connects, not when a wallet’s account changes', async () => {
    const { kit, evm } = await connectedSite()
    await connect(kit, { connectorId: 'toy.wallet', namespace: 'polkadot' })
    expect(kit.getState().namespace).toBe('polkadot')
    const accounts = [{ namespace: 'eip155' as const, address: '0xnew', type: 'eoa' as const }]
    evm.emit({ type: 'accountsChanged', connectorId: halyard, accounts })
    expect(kit.getState().namespace).toBe('polkadot')
    evm.emit({ type: 'disconnected', connectorId: halyard })
    expect(kit.getState().namespace).toBe('polkadot')
  })

  test('§4.1.5 becomes that of a wallet that connects or is selected in its own window', async () => {
    const { kit, evm } = site()
    await connect(kit, { connectorId: 'toy.wallet', namespace: 'polkadot' })
    const connectedIn = (index: number) =>
      evm.emit({
        type: 'connected',
        active: true,
        connection: {
          connectorId: evm.ids[index]!,
          accounts: [{ namespace: 'eip155', address: evm.address(index), type: 'eoa' }],
          caipNetworkId: 'eip155:1',
        },
      })
    connectedIn(0)
    expect(kit.getState().namespace).toBe('eip155')
    kit.dispatch({ type: 'namespace.activated', namespace: 'polkadot' })
    connectedIn(1)
    expect(kit.getState().namespace).toBe('eip155')
    kit.dispatch({ type: 'namespace.activated', namespace: 'polkadot' })
    kit.dispatch({ type: 'connection.reconnecting', namespace: 'eip155' })
    evm.emit({ type: 'activated', connectorId: halyard })
    expect(kit.getState().namespace).toBe('polkadot')
  })

  test('§4.1.8 §7.7.3 becomes another connected family when its last wallet disconnects', async () => {
    const { kit, events } = await connectedSite()
    await connect(kit, { connectorId: nacre })
    await connect(kit, { connectorId: 'toy.wallet', namespace: 'polkadot' })
    const ended = () => events.filter((event) => event.startsWith('DISCONNECT'))
    await disconnect(kit, { connectorId: nacre })
    expect(kit.getState().namespace).toBe('polkadot')
    expect(ended()).toEqual([])
    await disconnect(kit, { namespace: 'polkadot' })
    expect(kit.getState().namespace).toBe('eip155')
    expect(ended()).toEqual(['DISCONNECT_SUCCESS {"namespace":"polkadot"}'])
  })

  test('is kept if no wallet of another family is connected', async () => {
    const { kit } = site()
    await connect(kit, { connectorId: 'toy.wallet', namespace: 'polkadot' })
    await disconnect(kit)
    expect(kit.getState().namespace).toBe('polkadot')
  })

  test.each([true, false])(
    'error: a wallet that cannot be restored is not reported as disconnected, with ssr %s',
    async (ssr) => {
      const storage = memoryStorage()
      const first = await connectedSite({ storage })
      first.kit.destroy()
      const { kit, evm, events } = site({ storage, ssr })
      evm.faults.reconnect = true
      await kit.ready()
      expect(kit.getState().chains.eip155?.connections).toEqual([])
      expect(events).toEqual([])
    },
  )
})

test('an adapter is notified when another configured network becomes active', async () => {
  const { kit, evm, chainChanged } = site()
  const selected: unknown[] = []
  kit.adapters.get('eip155')!.networkSelected = ({ caipNetworkId }) => selected.push(caipNetworkId)
  await connect(kit, { connectorId: halyard })
  evm.emit({ type: 'networkSelected', caipNetworkId: 'eip155:10' })
  evm.emit({ type: 'networkSelected', caipNetworkId: 'eip155:999' })
  chainChanged('eip155:1')
  chainChanged('eip155:1')
  chainChanged('eip155:999')
  kit.dispatch({
    type: 'connection.networkSelected',
    namespace: 'eip155',
    networkId: 'eip155:999',
  })
  expect(selected).toEqual(['eip155:10', 'eip155:1'])
})

describe('while the modal is open', () => {
  const views = {
    account: { name: 'Account' },
    info: { name: 'WhatIsANetwork' },
    networks: { name: 'Networks' },
    wallets: { name: 'ProfileWallets' },
    all: { name: 'AllWallets' },
  } as const satisfies Record<string, ViewEntry>

  test.each<[ViewEntry, string[]]>([
    [views.info, ['Account']],
    [views.wallets, ['Account', 'ProfileWallets']],
  ])(
    'a network change in the wallet on the view %o changes the history to %j',
    async (entry, left) => {
      const { kit, chainChanged, history } = await connectedSite()
      void kit.open()
      push(kit, entry)
      chainChanged('eip155:10')
      expect(history()).toEqual(left)
    },
  )

  test.each<[ViewEntry, string[]]>([
    [views.networks, ['Connect']],
    [views.all, ['Connect', 'AllWallets']],
  ])(
    'without a wallet, a network change on the view %o changes the history to %j',
    (entry, left) => {
      const { kit, evm, history } = site()
      void kit.open()
      push(kit, entry)
      evm.emit({ type: 'networkSelected', caipNetworkId: 'eip155:10' })
      expect(history()).toEqual(left)
    },
  )

  test('a network change in another family closes no view', async () => {
    const { kit, history } = await connectedSite()
    void kit.open()
    push(kit, views.info)
    kit.dispatch({
      type: 'connection.networkSelected',
      namespace: 'polkadot',
      networkId: `polkadot:${toyNetworks[1]!.id}`,
    })
    expect(history()).toEqual(['Account', 'WhatIsANetwork'])
  })

  test('UnsupportedChain, opened by the site, stays open while only the account changes', async () => {
    const { kit, evm, history } = await connectedSite()
    void kit.open({ view: 'UnsupportedChain' })
    const accounts = [{ namespace: 'eip155' as const, address: '0xnew', type: 'eoa' as const }]
    evm.emit({ type: 'accountsChanged', connectorId: halyard, accounts })
    expect(history()).toEqual(['UnsupportedChain'])
    expect(kit.getState().view.open).toBe(true)
  })

  test('§4.6.1 UnsupportedChain closes once the wallet is on a configured chain, even the previous one', async () => {
    const { chainChanged, history, isOpen } = await connectedSite()
    chainChanged('eip155:999')
    expect(history()).toEqual(['UnsupportedChain'])
    chainChanged('eip155:998')
    expect(isOpen()).toBe(true)
    chainChanged('eip155:1')
    expect(isOpen()).toBe(false)
  })

  test('§4.6.1 UnsupportedChain replaces the view on screen, once for each unsupported chain', async () => {
    const { kit, evm, events, chainChanged, history, isOpen } = await connectedSite()
    void kit.open()
    push(kit, views.wallets)
    chainChanged('eip155:999')
    expect(history()).toEqual(['UnsupportedChain'])
    expect(events.filter((event) => event.startsWith('MODAL_OPEN'))).toHaveLength(1)
    const { view } = kit.getState()
    chainChanged('eip155:997')
    expect(kit.getState().view).toBe(view)
    kit.close()
    const accounts = [{ namespace: 'eip155' as const, address: '0xnew', type: 'eoa' as const }]
    evm.emit({ type: 'accountsChanged', connectorId: halyard, accounts })
    expect(isOpen()).toBe(false)
    chainChanged('eip155:998')
    expect(isOpen()).toBe(true)
  })

  test('it closes when the last wallet disconnects', async () => {
    const { kit, isOpen } = await connectedSite()
    await connect(kit, { connectorId: nacre })
    void kit.open()
    await disconnect(kit, { connectorId: nacre })
    expect(isOpen()).toBe(true)
    await disconnect(kit)
    expect(isOpen()).toBe(false)
  })

  test('a view that connects another wallet stays open when the last wallet disconnects', async () => {
    const { kit, history, isOpen } = await connectedSite()
    void kit.open()
    push(kit, views.wallets)
    await disconnect(kit)
    expect(isOpen()).toBe(true)
    expect(history()).toEqual(['Account', 'ProfileWallets'])
  })

  test('it closes even if the state contains an earlier session that ended', async () => {
    const { kit, relay, isOpen } = site()
    const connecting = connect(kit, { connectorId: 'toy.relay' })
    await expect.poll(() => kit.getState().attempt?.progress).toBeDefined()
    relay.approve()
    await connecting
    relay.end('user')
    await connect(kit, { connectorId: halyard })
    void kit.open()
    await disconnect(kit)
    expect(isOpen()).toBe(false)
  })

  test('§2.7.2 an embedded modal shows Connect once the last wallet disconnects', async () => {
    const { kit, history } = await connectedSite({ enableEmbedded: true })
    void kit.open()
    await disconnect(kit)
    expect(history()).toEqual(['Connect'])
  })
})

describe('§4.1.2 the storage', () => {
  test('contains the connections, networks, accounts and the active family', async () => {
    const { kit, evm } = await connectedSite()
    await connect(kit, { connectorId: nacre })
    const polkadot = `polkadot:${toyNetworks[0]!.id}`
    const stored = {
      connections: { eip155: { [halyard]: 'active', [nacre]: 'connected' }, polkadot: {} },
      networks: { eip155: 'eip155:1', polkadot },
      accounts: { eip155: `eip155:1:${evm.address(1)}` },
      namespace: 'eip155',
    }
    expect(kit.persisted.read()).toMatchObject(stored)
    await disconnect(kit, { connectorId: nacre })
    expect(kit.persisted.read()).toMatchObject({
      ...stored,
      connections: { eip155: { [halyard]: 'connected', [nacre]: 'disconnected' } },
      accounts: { eip155: `eip155:1:${evm.address(0)}` },
    })
    await disconnect(kit)
    expect(kit.persisted.read()).toMatchObject({
      connections: { eip155: { [halyard]: 'disconnected', [nacre]: 'disconnected' } },
    })
    expect(kit.persisted.read().accounts).toEqual({})
    kit.dispatch({ type: 'namespace.activated', namespace: 'polkadot' })
    expect(kit.persisted.read().namespace).toBe('polkadot')
  })

  test('keeps the connections and networks of families that are no longer configured', async () => {
    const storage = memoryStorage()
    const first = site({ storage })
    await connect(first.kit, { connectorId: 'toy.wallet', namespace: 'polkadot' })
    first.kit.destroy()
    const polkadot = `polkadot:${toyNetworks[0]!.id}`
    // The adapter's networks are no longer configured.
    for (const adapters of [[memoryAdapter().factory], [toyFamily().factory]]) {
      const { kit } = start({ storage, adapters })
      await kit.ready()
      kit.dispatch({ type: 'namespace.activated', namespace: 'eip155' })
      kit.dispatch({ type: 'namespace.activated', namespace: 'solana' })
      expect(kit.persisted.read()).toMatchObject({
        connections: { polkadot: { 'toy.wallet': 'connected' } },
        networks: { polkadot },
        namespace: 'solana',
      })
      kit.destroy()
    }
  })

  test('keeps the connections while they are being restored', async () => {
    const storage = memoryStorage()
    const first = await connectedSite({ storage })
    first.kit.destroy()
    const { kit, evm } = site({ storage, ssr: true })
    evm.faults.hang = true
    kit.start()
    await expect.poll(() => kit.getState().chains.eip155?.status).toBe('reconnecting')
    kit.dispatch({ type: 'namespace.activated', namespace: 'polkadot' })
    expect(kit.persisted.read().connections.eip155).toEqual({ [halyard]: 'connected' })
  })
})
