import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { mainnet } from 'viem/chains'

import { createKit } from '../kit/createKit.ts'
import type { KitInstance } from '../kit/Kit.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import { toyConnector } from '../testing/toyConnector.ts'
import { toyFamily, toyNetworks } from '../testing/toyFamily.ts'
import type { GatefoldOptions } from '../kit/options.ts'
import { memoryStorage } from '../storage/storage.ts'
import { connect } from './connect.ts'
import {
  addWallet,
  disconnectAll,
  disconnectWallet,
  forgetWallet,
  switchWallet,
  walletsUsedBefore,
} from './linkedWallets.ts'

const kits: KitInstance[] = []
beforeEach(() => {
  vi.stubGlobal('window', { location: { origin: 'https://book.example' } })
  vi.spyOn(console, 'info').mockImplementation(() => {})
})
afterEach(() => {
  for (const kit of kits.splice(0)) kit.destroy()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const namespace = 'eip155'
async function start(options: Partial<GatefoldOptions> = {}) {
  const wallets = memoryAdapter()
  const kit = createKit({
    metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
    networks: [mainnet],
    adapters: [wallets.factory],
    storage: memoryStorage(),
    debug: true,
    ...options,
  })
  kits.push(kit)
  await connect(kit, { connectorId: wallets.ids[0] })
  const viewNames = () => kit.getState().view.history.map(({ name }) => name)
  const toast = () => kit.getState().toast
  return { kit, wallets, viewNames, toast }
}

describe('connecting another wallet', () => {
  test('opens the Connect view for the chain family', async () => {
    const { kit, viewNames } = await start()
    void kit.open({ view: 'ProfileWallets' })
    expect(addWallet(kit, { namespace })).toBe(true)
    expect(viewNames()).toEqual(['ProfileWallets', 'Connect'])
    expect(kit.getState().view.namespace).toBe(namespace)
  })

  test('§5.8.3 §8.8.1/12 without the multi-wallet feature, an info alert is raised for the developer', async () => {
    const { kit, viewNames } = await start({ features: { multiWallet: false } })
    kit.dispatch({
      type: 'features.resolved',
      features: { ...kit.getState().features, multiWallet: false },
      server: 'ready',
    })
    void kit.open({ view: 'ProfileWallets' })
    expect(addWallet(kit, { namespace })).toBe(false)
    expect(viewNames()).toEqual(['ProfileWallets'])
    expect(addWallet(kit, { namespace: 'solana' })).toBe(true)
    await expect.poll(() => kit.getState().alerts).toHaveLength(1)
    expect(kit.getState().alerts).toMatchObject([
      { code: 'MULTI_WALLET_NOT_ENABLED', level: 'info' },
    ])
  })
})

test('switching activates another connected wallet; a failure shows a toast', async () => {
  const { kit, wallets, toast } = await start()
  await connect(kit, { connectorId: wallets.ids[1] })
  await switchWallet(kit, { namespace, connectorId: wallets.ids[0] })
  expect(kit.getState().chains.eip155?.connectorId).toBe(wallets.ids[0])
  expect(toast()).toMatchObject({
    variant: 'success',
    message: 'Switched to Halyard',
    key: 'toast.inUse',
    values: { wallet: 'Halyard' },
  })
  kit.adapters.get('eip155')!.switchConnection = () => Promise.reject(new Error('no'))
  await switchWallet(kit, { namespace, connectorId: wallets.ids[1] })
  expect(toast()).toMatchObject({ variant: 'error', message: 'Couldn’t switch to Nacre' })
})

test('switching to the active wallet of another family activates that family', async () => {
  const evm = memoryAdapter()
  const { kit } = await start({
    networks: [mainnet, toyNetworks[0]!],
    adapters: [evm.factory, toyFamily().factory],
  })
  await connect(kit, { connectorId: 'toy.wallet' })
  expect(kit.getState().namespace).toBe('polkadot')
  await switchWallet(kit, { namespace, connectorId: evm.ids[0] })
  expect(kit.getState().namespace).toBe(namespace)
})

test.each([
  ['Toy Phone', 'Toy Phone'],
  ['', 'Toy Relay'],
])(
  'a wallet that is connected by a session with the name “%s” is shown as %s',
  async (peer, name) => {
    const { kit, toast } = await start({ connectors: [toyConnector().factory] })
    const session = { id: '1', connectorId: 'toy.relay', peer: { name: peer }, grants: {} }
    kit.dispatch({ type: 'session.changed', session: { ...session, method: 'qrcode' } })
    await switchWallet(kit, { namespace, connectorId: 'toy.relay' })
    expect(toast()?.message).toBe(`Switched to ${name}`)
  },
)

test('error: a wallet whose extension was removed is shown by its address', async () => {
  const { kit, wallets, toast } = await start()
  await connect(kit, { connectorId: wallets.ids[1] })
  kit.dispatch({ type: 'connectors.changed', namespace, connectors: [] })
  await switchWallet(kit, { namespace, connectorId: wallets.ids[1] })
  expect(toast()?.message).toBe('Switched to 0x7099…79C8')
  await switchWallet(kit, { namespace, connectorId: 'unknown' })
  expect(toast()?.message).toBe('Switched to unknown')
})

describe('disconnecting', () => {
  test('§4.1.7/2 if other wallets remain, lists them and activates the first', async () => {
    const { kit, wallets, viewNames, toast } = await start()
    await connect(kit, { connectorId: wallets.ids[1] })
    void kit.open()
    await disconnectWallet(kit, { namespace, connectorId: wallets.ids[1] })
    expect(viewNames()).toEqual(['Account', 'ProfileWallets'])
    expect(kit.getState().chains.eip155?.connectorId).toBe(wallets.ids[0])
    expect(toast()).toMatchObject({ variant: 'success', message: 'Nacre disconnected' })
  })

  test('wallets of one family are enough to list them', async () => {
    const evm = memoryAdapter()
    const { kit, viewNames, toast } = await start({
      networks: [mainnet, toyNetworks[0]!],
      adapters: [evm.factory, toyFamily().factory],
    })
    await connect(kit, { connectorId: evm.ids[1] })
    void kit.open()
    await disconnectWallet(kit, { namespace, connectorId: evm.ids[1] })
    expect(viewNames()).toEqual(['Account', 'ProfileWallets'])
    expect(toast()).toMatchObject({ message: 'Nacre disconnected' })
  })

  test('a view stays open if it connects another wallet after the disconnect', async () => {
    const { kit, wallets, viewNames } = await start()
    await connect(kit, { connectorId: wallets.ids[1] })
    void kit.open({ view: 'ConnectingWalletConnect' })
    await disconnectWallet(kit, { namespace, connectorId: wallets.ids[1] })
    expect(viewNames()).toEqual(['ConnectingWalletConnect'])
  })

  test('§4.1.6 disconnecting the last wallet closes the modal', async () => {
    const { kit, wallets } = await start()
    void kit.open()
    await disconnectWallet(kit, { namespace, connectorId: wallets.ids[0] })
    expect(kit.getState().view.open).toBe(false)
  })

  test('error: a failure shows a toast and keeps the view', async () => {
    const { kit, wallets, viewNames, toast } = await start()
    void kit.open()
    wallets.faults.disconnect = true
    await disconnectWallet(kit, { namespace, connectorId: wallets.ids[0] })
    expect(toast()).toMatchObject({ variant: 'error', message: 'Failed to disconnect' })
    expect(viewNames()).toEqual(['Account'])
  })

  test('error: disconnectAll shows a failure', async () => {
    const { kit, wallets, toast } = await start()
    wallets.faults.disconnect = true
    await disconnectAll(kit, { namespace })
    expect(toast()).toMatchObject({ variant: 'error', message: 'Failed to disconnect' })
  })

  test('from the wallet list, the list stays open', async () => {
    const { kit, wallets, viewNames } = await start()
    await connect(kit, { connectorId: wallets.ids[1] })
    void kit.open({ view: 'ProfileWallets' })
    await disconnectWallet(kit, { namespace, connectorId: wallets.ids[1] })
    expect(viewNames()).toEqual(['ProfileWallets'])
  })

  test('while the modal is closed, or if no wallet remains, shows no toast and no other view', async () => {
    const { kit, wallets, viewNames, toast } = await start()
    await connect(kit, { connectorId: wallets.ids[1] })
    await disconnectWallet(kit, { namespace, connectorId: wallets.ids[1] })
    expect([viewNames(), toast()]).toEqual([['Connect'], undefined])
    void kit.open({ view: 'ProfileWallets' })
    await disconnectWallet(kit, { namespace, connectorId: wallets.ids[0] })
    expect([viewNames(), toast()]).toEqual([['ProfileWallets'], undefined])
  })

  test('disconnectAll disconnects every wallet of a family and shows a toast', async () => {
    const { kit, wallets, toast } = await start()
    await connect(kit, { connectorId: wallets.ids[1] })
    void kit.open({ view: 'ProfileWallets' })
    await disconnectAll(kit, { namespace })
    expect(kit.getState().chains.eip155).toMatchObject({ status: 'disconnected', connections: [] })
    expect(toast()).toMatchObject({ variant: 'success' })
  })
})

test('previously used wallets are listed and can be removed', async () => {
  const { kit, wallets } = await start()
  await connect(kit, { connectorId: wallets.ids[1] })
  expect(walletsUsedBefore(kit, { namespace })).toEqual([])
  await disconnectWallet(kit, { namespace, connectorId: wallets.ids[1] })
  expect(walletsUsedBefore(kit, { namespace })).toMatchObject([{ name: 'Nacre' }])
  forgetWallet(kit, { namespace, connectorId: wallets.ids[1] })
  expect(walletsUsedBefore(kit, { namespace })).toEqual([])
  expect(kit.persisted.read().connections).toEqual({
    [namespace]: { [wallets.ids[0]]: 'connected' },
  })
  forgetWallet(kit, { namespace: 'solana', connectorId: 'x' })
  expect(walletsUsedBefore(kit, { namespace: 'solana' })).toEqual([])
})

test('a wallet that connects while another family is being restored is not listed as previously used', async () => {
  const storage = memoryStorage()
  const connections = {
    eip155: { 'dev.gatefold.halyard': 'connected' },
    polkadot: { 'toy.wallet': 'disconnected', 'dev.gatefold.nacre': 'disconnected' },
  }
  storage.setItem('gatefold', JSON.stringify({ version: 0, state: { connections } }))
  const evm = memoryAdapter()
  evm.faults.hang = true
  const kit = createKit({
    metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
    networks: [mainnet, toyNetworks[0]!],
    adapters: [evm.factory, toyFamily().factory],
    storage,
  })
  kits.push(kit)
  const listed = () => walletsUsedBefore(kit, { namespace: 'polkadot' }).map(({ id }) => id)
  expect(listed()).toEqual(['toy.wallet'])
  await connect(kit, { connectorId: 'toy.wallet' })
  expect(kit.getState().chains.eip155?.status).toBe('reconnecting')
  expect(listed()).toEqual([])
})
