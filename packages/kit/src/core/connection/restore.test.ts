import { limits } from '@gatefold/protocol'
import { mainnet } from 'viem/chains'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { nextTask } from '../kit/nextTask.ts'
import { memoryStorage } from '../storage/storage.ts'
import type { PersistedState } from '../storage/storage.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import { stubPage } from '../testing/stubPage.ts'
import { toyConnector } from '../testing/toyConnector.ts'
import { toyFamily, toyNetworks } from '../testing/toyFamily.ts'
import { useKits } from '../testing/useKits.ts'
import { getAccount } from './account.ts'
import { connect } from './connect.ts'

const { start, logged } = useKits()
const [halyard, nacre] = ['dev.gatefold.halyard', 'dev.gatefold.nacre'] as const
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

function storageWith(state: Partial<PersistedState>) {
  const storage = memoryStorage()
  const empty = { connections: {}, networks: {}, namespace: null, accounts: {}, recent: [] }
  storage.setItem('gatefold', JSON.stringify({ version: 0, state: { ...empty, ...state } }))
  return storage
}
const connected: Partial<PersistedState> = {
  connections: { eip155: { [nacre]: 'active', [halyard]: 'connected' } },
  accounts: { eip155: `eip155:10:${address}` },
  networks: { eip155: 'eip155:10' },
  namespace: 'eip155',
}

describe('the first render', () => {
  const first = (state: Partial<PersistedState>, options = {}) =>
    start({ storage: storageWith(state), ...options }).kit.getState()

  test('§4.1.3 has the stored account on its network', () => {
    const state = first(connected)
    expect(state.chains.eip155).toMatchObject({
      status: 'reconnecting',
      connectorId: halyard,
      networkId: 'eip155:10',
    })
    expect(getAccount(state)).toEqual({
      namespace: 'eip155',
      address,
      type: 'eoa',
      caipAddress: `eip155:10:${address}`,
    })
  })

  test.each([
    ['without a stored account', { ...connected, accounts: {} }, 'reconnecting'],
    ['with a malformed account', { ...connected, accounts: { eip155: 'x' } }, 'reconnecting'],
    ['with an account of a disconnected wallet', { ...connected, connections: {} }, 'disconnected'],
  ])('%s has no account', (_, state, status) => {
    expect(first(state).chains.eip155).toMatchObject({ status, connections: [] })
  })

  test.each(['eip155:999', 'x', undefined])('ignores the stored network %s', (networkId) => {
    const networks: Record<string, string> = networkId ? { eip155: networkId } : {}
    expect(first({ networks }).chains.eip155?.networkId).toBe('eip155:1')
  })

  test.each([
    ['eip155', 'eip155'],
    ['solana', 'eip155'],
    [null, 'eip155'],
  ])('with the stored family %s and only an EVM adapter, activates %s', (namespace, active) => {
    expect(first({ namespace }).namespace).toBe(active)
  })

  test.each([
    ['eip155', 'eip155'],
    ['polkadot', 'polkadot'],
    ['solana', 'eip155'],
  ])('with the stored family %s and two adapters, activates %s', (namespace, active) => {
    const adapters = [memoryAdapter().factory, toyFamily().factory]
    const options = { networks: [mainnet, toyNetworks[0]!], adapters }
    expect(first({ namespace }, options).namespace).toBe(active)
  })

  test.each([undefined, false])(
    'has the stored preferences, with enableReconnect %s',
    (enableReconnect) => {
      const preferences = { currency: 'GBP' }
      expect(first({ ...connected, preferences }, { enableReconnect }).preferences).toEqual({
        currency: 'GBP',
        showsSmall: false,
      })
    },
  )

  test('§4.1.4 with enableReconnect off, ignores what is stored', () => {
    const state = first(connected, { enableReconnect: false })
    expect(state.chains.eip155).toMatchObject({ status: 'disconnected', networkId: 'eip155:1' })
  })

  test('§4.1.4 with enableReconnect off, only the accounts of this chain family are removed', async () => {
    const storage = storageWith({
      ...connected,
      accounts: { ...connected.accounts, solana: 'solana:mainnet:7S3P' },
    })
    const { kit } = start({ storage, enableReconnect: false })
    await kit.ready()
    expect(kit.persisted.read().accounts).toEqual({ solana: 'solana:mainnet:7S3P' })
  })

  test('§4.1.4 with enableReconnect off, every stored connection ends, even if a wallet fails', async () => {
    const storage = storageWith({
      connections: {
        eip155: { [halyard]: 'connected', 'toy.relay': 'active' },
        solana: { x: 'active' },
      },
    })
    storage.setItem('toy.session', '1')
    const { kit, wallets } = start({
      storage,
      enableReconnect: false,
      connectors: [toyConnector().factory],
    })
    wallets.faults.disconnect = true
    await kit.ready()
    expect(storage.getItem('toy.session')).toBeNull()
    expect(kit.persisted.read().connections).toEqual({
      eip155: { [halyard]: 'disconnected', 'toy.relay': 'disconnected' },
      solana: { x: 'active' },
    })
  })
})

describe('restoring', () => {
  test('with ssr, the stored network is selected without a wallet', async () => {
    const { kit } = start({ storage: storageWith({ networks: connected.networks! }), ssr: true })
    expect(kit.getState().chains.eip155?.networkId).toBe('eip155:1')
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({
      status: 'disconnected',
      networkId: 'eip155:10',
    })
  })

  test('with ssr, the stored preferences follow the first render', async () => {
    const { kit } = start({
      storage: storageWith({ preferences: { showsSmall: true } }),
      ssr: true,
    })
    expect(kit.getState().preferences.showsSmall).toBe(false)
    await kit.ready()
    expect(kit.getState().preferences).toEqual({ currency: 'USD', showsSmall: true })
  })

  test('several wallets are restored, and the active one stays active', async () => {
    const { kit, wallets } = start({ storage: storageWith(connected) })
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({
      connectorId: halyard,
      connections: [{ connectorId: halyard }, { connectorId: nacre }],
    })
    expect(wallets.requested).toEqual([])
  })

  test('the adapter is notified, and no other connector is active meanwhile', async () => {
    const { kit } = start({ storage: storageWith(connected), ssr: true })
    const notified: boolean[] = []
    kit.adapters.get('eip155')!.restoring = (active) => notified.push(active)
    const adapter = kit.adapters.get('eip155')!
    const attach = adapter.attach.bind(adapter)
    const attached: unknown[] = []
    adapter.attach = (parameters) => {
      const { session, active, restored } = parameters
      attached.push([session.connectorId, { active, restored }])
      return attach(parameters)
    }
    const shown = new Set<string | undefined>()
    kit.subscribe(() => shown.add(kit.getState().chains.eip155?.connectorId))
    await kit.ready()
    expect(notified).toEqual([true, false])
    expect(attached).toEqual([
      [halyard, { active: true, restored: true }],
      [nacre, { active: false, restored: true }],
    ])
    expect([...shown]).toEqual([undefined, halyard])
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each<[string, Record<string, string>]>([
    ['has ended', {}],
    ['no longer grants the family', { 'toy.session': '1' }],
  ])('a wallet whose session %s is disconnected', async (_, items) => {
    const storage = storageWith({
      connections: { polkadot: {}, eip155: { 'toy.relay': 'connected' } },
      accounts: { eip155: `eip155:1:${address}` },
    })
    for (const [key, value] of Object.entries(items)) storage.setItem(key, value)
    const relay = toyConnector()
    relay.granted = []
    const { kit } = start({ storage, connectors: [relay.factory] })
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({ status: 'disconnected', connections: [] })
    expect(logged.warn).not.toHaveBeenCalled()
    expect(storage.getItem('toy.session')).toBe(items['toy.session'] ?? null)
  })

  test('with adapters, a connector’s session is restored only if it was connected', async () => {
    const storage = storageWith({ connections: { eip155: { [halyard]: 'connected' } } })
    storage.setItem('toy.session', '1')
    const { kit } = start({ storage, connectors: [toyConnector().factory] })
    await kit.ready()
    expect(kit.getState().chains.eip155?.connections).toMatchObject([{ connectorId: halyard }])
    expect(storage.getItem('toy.session')).toBe('1')
    expect(logged.warn).not.toHaveBeenCalled()
  })

  test('a family without stored connections is not restored', async () => {
    const wallets = memoryAdapter()
    const { kit } = start({
      networks: [mainnet, toyNetworks[0]!],
      adapters: [wallets.factory, toyFamily().factory],
      storage: storageWith({ connections: { eip155: { [halyard]: 'connected' } } }),
      ssr: true,
    })
    const statuses = new Set<unknown>()
    kit.subscribe(() => statuses.add(kit.getState().chains.polkadot?.status))
    await kit.ready()
    expect(kit.getState().chains.eip155?.status).toBe('connected')
    expect([...statuses]).toEqual(['disconnected'])
  })

  test('a restored connection stays while its adapter has not reported it yet', async () => {
    const { kit } = start({ storage: storageWith(connected) })
    kit.adapters.get('eip155')!.attach = async () => {}
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({
      status: 'connected',
      connections: [{ connectorId: halyard }],
    })
  })

  test('a wallet that connects while it is being restored stays connected', async () => {
    const connections = { eip155: { [halyard]: 'connected' } } as const
    const { kit, wallets } = start({ storage: storageWith({ ...connected, connections }) })
    wallets.faults.hang = true
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(1)
    wallets.faults.hang = false
    await connect(kit, { connectorId: halyard })
    await vi.advanceTimersByTimeAsync(60_000)
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({
      status: 'connected',
      connections: [{ connectorId: halyard }],
    })
  })

  test('error: a wallet that fails while another one is being restored causes no unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', listener)
    onTestFinished(() => void process.off('unhandledRejection', listener))
    const relay = toyConnector()
    const { kit, wallets } = start({
      storage: storageWith({
        connections: { eip155: { [halyard]: 'connected', 'toy.relay': 'active' } },
      }),
      connectors: [
        (context) => ({
          ...relay.factory(context),
          restore: () => Promise.reject(new TypeError('offline')),
        }),
      ],
    })
    wallets.faults.hang = true
    await vi.dynamicImportSettled()
    await nextTask()
    wallets.release()
    await kit.ready()
    expect(logged.warn).toHaveBeenCalledOnce()
    expect(unhandled).toEqual([])
  })

  test('the transactions that the site submitted are followed', async () => {
    const stored = memoryStorage()
    vi.stubGlobal('localStorage', stored)
    const transaction = {
      id: '0xone',
      hash: '0xone',
      type: 'send',
      status: 'pending',
      account: address,
      networkId: 'eip155:1',
      to: '0xto',
      transfers: [{ direction: 'out', name: 'ETH', amount: '1', isNft: false }],
      time: Date.now(),
      earlier: [],
    }
    stored.setItem('gatefold.pending.default', JSON.stringify([transaction]))
    const { kit } = start({ storage: storageWith(connected) })
    await expect
      .poll(() => kit.getState().pending)
      .toMatchObject([{ id: '0xone', status: 'confirmed' }])
  })

  test('a connector resumes its attempts', async () => {
    let starts = 0
    const relay = toyConnector()
    const factory = (context: Parameters<typeof relay.factory>[0]) => ({
      ...relay.factory(context),
      start: () => void (starts += 1),
    })
    const { kit } = start({ connectors: [factory] })
    await kit.ready()
    expect(starts).toBe(1)
  })

  test('a disconnected wallet is not restored', async () => {
    const connections = { eip155: { [nacre]: 'disconnected', [halyard]: 'connected' } } as const
    const { kit } = start({ storage: storageWith({ connections }) })
    await kit.ready()
    expect(kit.getState().chains.eip155?.connections).toMatchObject([{ connectorId: halyard }])
  })

  test('a wallet that announces itself late is restored', async () => {
    stubPage('complete')
    const { kit, wallets } = start({ storage: storageWith(connected), ssr: true })
    kit.start()
    const { connectors } = kit.getState()
    const subscribe = kit.subscribe.bind(kit)
    let listeners = 0
    kit.subscribe = (listener) => {
      const unsubscribe = subscribe(listener)
      listeners += 1
      return () => {
        listeners -= 1
        unsubscribe()
      }
    }
    wallets.emit({ type: 'connectors', connectors: [] })
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(limits.asyncInjectMs - 1)
    expect(kit.getState().chains.eip155?.status).toBe('reconnecting')
    wallets.emit({ type: 'connectors', connectors })
    await kit.ready()
    expect(kit.getState().chains.eip155?.connections).toHaveLength(2)
    // Nothing waits for the wallets any longer.
    expect([listeners, vi.getTimerCount()]).toEqual([0, 0])
  })

  describe('while the page loads', () => {
    let page: EventTarget
    beforeEach(() => {
      page = stubPage('interactive')
    })
    const startWithout = async () => {
      const started = start({ storage: storageWith(connected), ssr: true })
      started.kit.start()
      const { connectors } = started.kit.getState()
      started.wallets.emit({ type: 'connectors', connectors: [] })
      await vi.dynamicImportSettled()
      await vi.advanceTimersByTimeAsync(10 * limits.asyncInjectMs)
      expect(started.kit.getState().chains.eip155?.status).toBe('reconnecting')
      return { ...started, connectors }
    }

    test('a wallet that announces itself at most 1 s after the load event is restored', async () => {
      const { kit, wallets, connectors } = await startWithout()
      page.dispatchEvent(new Event('load'))
      await vi.advanceTimersByTimeAsync(limits.asyncInjectMs - 1)
      wallets.emit({ type: 'connectors', connectors })
      await kit.ready()
      expect(kit.getState().chains.eip155?.connections).toHaveLength(2)
      expect(vi.getTimerCount()).toBe(0)
    })

    test('a wallet that is missing 1 s after the load event is disconnected', async () => {
      const { kit } = await startWithout()
      page.dispatchEvent(new Event('load'))
      await vi.advanceTimersByTimeAsync(limits.asyncInjectMs)
      await kit.ready()
      expect(kit.getState().chains.eip155?.status).toBe('disconnected')
      expect(vi.getTimerCount()).toBe(0)
    })

    test('a wallet that is missing after a minute is disconnected on a page that never loads', async () => {
      const { kit } = await startWithout()
      await vi.advanceTimersByTimeAsync(60_000 - 10 * limits.asyncInjectMs)
      await kit.ready()
      expect(kit.getState().chains.eip155?.status).toBe('disconnected')
      page.dispatchEvent(new Event('load'))
      expect(vi.getTimerCount()).toBe(0)
    })

    test('an instance that is destroyed no longer waits', async () => {
      const { kit } = await startWithout()
      kit.destroy()
      page.dispatchEvent(new Event('load'))
      expect(vi.getTimerCount()).toBe(0)
    })
  })

  test('a wallet that does not announce itself within 1 s is disconnected', async () => {
    stubPage('complete')
    const { kit, wallets } = start({ storage: storageWith(connected), ssr: true })
    kit.start()
    wallets.emit({ type: 'connectors', connectors: [] })
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(limits.asyncInjectMs)
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({ status: 'disconnected', connections: [] })
    expect(vi.getTimerCount()).toBe(0)
    expect(logged.warn).not.toHaveBeenCalled()
  })

  test('a wallet that does not respond within a minute is disconnected', async () => {
    const { kit, wallets } = start({ storage: storageWith(connected) })
    wallets.faults.hang = true
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(59_999)
    expect(kit.getState().chains.eip155?.status).toBe('reconnecting')
    await vi.advanceTimersByTimeAsync(1)
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({ status: 'disconnected', connections: [] })
  })
})
