import { showToast } from '../notifications/showToast.ts'
import { describe, expect, test, vi } from 'vitest'
import { mainnet, optimism } from 'viem/chains'
import { isUriUsable } from '../connection/attempt.ts'
import { connect } from '../connection/connect.ts'
import { memoryStorage } from '../storage/storage.ts'
import type { KeyValueStorage } from '../storage/storage.ts'
import { goBack, push, replace } from '../view/navigate.ts'
import { safeClose } from '../view/safeClose.ts'
import { switchNetwork } from '../networks/switchNetwork.ts'
import { getAccount } from '../connection/account.ts'
import { UserRejectedError } from './errors.ts'
import { ModalClosedError } from './kitErrors.ts'
import { currentView } from '../view/view.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import { toyConnector } from '../testing/toyConnector.ts'
import { useKits } from '../testing/useKits.ts'
import type { AdapterContext } from '../connection/Adapter.ts'
import type { ConnectorContext } from '../connection/Connector.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import type { Network } from '../networks/Network.ts'
import { createKit } from './createKit.ts'
import { instanceOf } from './Kit.ts'
import type { GatefoldOptions } from './options.ts'

const { start, logged } = useKits()

describe('opening and closing', () => {
  test('§4.3.1 §4.3.2 §7.7.3/3 open and close events include whether a wallet is connected', async () => {
    const { kit, events, wallets } = start()
    kit.close()
    void kit.open()
    kit.close()
    kit.close()
    await connect(kit, { connectorId: wallets.ids[0] })
    void kit.open()
    kit.close()
    expect(events.filter((event) => event.startsWith('MODAL'))).toEqual([
      'MODAL_OPEN {"connected":false}',
      'MODAL_CLOSE {"connected":false}',
      'MODAL_OPEN {"connected":true}',
      'MODAL_CLOSE {"connected":true}',
    ])
  })

  test('§2.6.1 opening for another chain family shows the network switch', () => {
    const solana = {
      id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      chainNamespace: 'solana' as const,
      name: 'Solana',
      nativeCurrency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
      rpcUrls: { default: { http: ['http://localhost:1'] } },
    }
    const { kit } = start({ networks: [mainnet, solana] })
    void kit.open({ namespace: 'solana' })
    expect(currentView(kit.getState().view)).toMatchObject({
      name: 'SwitchNetwork',
      data: { network: { chainNamespace: 'solana' } },
    })
  })

  test('§2.5/2 going back from the first view closes the modal', () => {
    const { kit, view } = start()
    void kit.open()
    push(kit, { name: 'AllWallets' })
    goBack(kit)
    expect(view()).toBe('Connect')
    goBack(kit)
    expect(kit.getState().view.open).toBe(false)
  })

  test('a view can replace the view on screen', () => {
    const { kit } = start()
    void kit.open()
    push(kit, { name: 'AllWallets' })
    replace(kit, { name: 'Networks' })
    expect(kit.getState().view.history).toEqual([{ name: 'Connect' }, { name: 'Networks' }])
  })

  test('§2.6.1 opening for the active chain family keeps its network', async () => {
    const { kit } = start()
    await switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })
    void kit.open({ namespace: 'eip155' })
    expect(kit.getState().view).toMatchObject({
      namespace: 'eip155',
      history: [{ name: 'Connect' }],
    })
  })

  test('§2.6.2 without adapters and connectors, a QR code is shown', () => {
    const { kit, view } = start({ adapters: [] })
    void kit.open()
    expect(view()).toBe('ConnectingWalletConnectBasic')
  })

  test('§2.6.2 a URI that the site created is shown, and does not expire', () => {
    const { kit, view } = start({ manualWCControl: true })
    void kit.open({ uri: 'wc:site' })
    expect(view()).toBe('ConnectingWalletConnectBasic')
    const { attempt } = kit.getState()
    expect(attempt?.progress).toMatchObject({ type: 'uri', uri: 'wc:site' })
    expect(isUriUsable(attempt, Date.now() + 1e12)).toBe(true)
  })

  test('§4.3.3 a view that requires no answer closes', () => {
    const { kit } = start()
    void kit.open()
    safeClose(kit)
    expect(kit.getState().view.open).toBe(false)
  })

  test('§9.6.2 every shake lasts 500 ms', () => {
    const { kit } = start()
    void kit.open({ view: 'UnsupportedChain' })
    safeClose(kit)
    vi.advanceTimersByTime(400)
    safeClose(kit)
    vi.advanceTimersByTime(200)
    safeClose(kit)
    vi.advanceTimersByTime(499)
    expect(kit.getState().view.shake).toBe(true)
    vi.advanceTimersByTime(1)
    expect(kit.getState().view.shake).toBe(false)
  })

  test('§4.3.3 §9.6.2 a view that requires an answer shakes for 500 ms instead of closing', () => {
    const { kit } = start()
    void kit.open({ view: 'UnsupportedChain' })
    safeClose(kit)
    expect(kit.getState().view).toMatchObject({ open: true, shake: true })
    vi.advanceTimersByTime(499)
    expect(kit.getState().view.shake).toBe(true)
    vi.advanceTimersByTime(1)
    expect(kit.getState().view).toMatchObject({ open: true, shake: false })
  })

  test('open() resolves with the connected account', async () => {
    const { kit, wallets } = start()
    const opened = kit.open()
    await connect(kit, { connectorId: wallets.ids[0] })
    await expect(opened).resolves.toMatchObject({ caipAddress: `eip155:1:${wallets.address(0)}` })
  })

  test('open() while connected resolves when the modal closes, with the account active then', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    const opened = kit.open()
    await connect(kit, { connectorId: wallets.ids[1] })
    kit.close()
    await expect(opened).resolves.toMatchObject({ address: wallets.address(1) })
  })

  test('error: open() rejects if the modal is closed while the account is being restored', async () => {
    const storage = memoryStorage()
    const first = start({ storage })
    await connect(first.kit, { connectorId: first.wallets.ids[0] })
    const { kit, wallets } = start({ storage, ssr: true })
    wallets.faults.hang = true
    const opened = kit.open()
    await expect.poll(() => kit.getState().chains.eip155?.status).toBe('reconnecting')
    kit.close()
    await expect(opened).rejects.toThrow(ModalClosedError)
  })

  test('§8.3/1 error: open() rejects with “Modal closed” if no account was connected', async () => {
    const { kit } = start()
    const opened = kit.open()
    kit.close()
    await expect(opened).rejects.toThrow(ModalClosedError)
    await expect(opened).rejects.toThrow('Modal closed')
  })
})

describe('networks', () => {
  test('§4.6.2/1 requests the switch from the connected wallet', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    await switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })
    expect(wallets.chainId).toBe(10)
    expect(getAccount(kit.getState())?.caipAddress).toBe(`eip155:10:${wallets.address(0)}`)
  })

  test('§4.6.2/2 without a wallet, only the active network changes', async () => {
    const { kit, wallets } = start()
    await switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })
    expect(kit.getState().chains.eip155?.networkId).toBe('eip155:10')
    expect(wallets.chainId).toBe(1)
  })

  test('§5.6.3 §5.9.2 §8.4/6 §8.8.1/1 error: a network that is not configured raises an alert and fails', async () => {
    const { kit } = start({ debug: true })
    await expect(switchNetwork(kit, { network: { caipNetworkId: 'eip155:999' } })).rejects.toThrow(
      'Network not found',
    )
    await expect.poll(() => kit.getState().alerts).toHaveLength(1)
    expect(kit.getState().alerts).toMatchObject([
      { code: 'SWITCH_NETWORK_NOT_FOUND', message: 'Network Not Found' },
    ])
  })

  test('error: a rejected switch stays in the state, so that the view can show it', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    wallets.faults.reject = true
    await expect(switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })).rejects.toThrow(
      UserRejectedError,
    )
    expect(kit.getState().switching).toMatchObject({ networkId: 'eip155:10', status: 'rejected' })
    expect(kit.getState().chains.eip155?.networkId).toBe('eip155:1')
  })

  test.each([
    [{}, true],
    [{ allowUnsupportedChain: true }, false],
    [{ enableNetworkSwitch: false }, false],
  ])(
    '§4.6.1/2 §8.6.1 a wallet on an unknown chain opens the UnsupportedChain view with options %j: %s',
    async (options, opens) => {
      const { kit, wallets } = start(options)
      await connect(kit, { connectorId: wallets.ids[0] })
      wallets.emit({
        type: 'chainChanged',
        connectorId: wallets.ids[0],
        caipNetworkId: 'eip155:999',
      })
      expect(kit.getState().chains.eip155?.unsupportedNetworkId).toBe('eip155:999')
      expect(kit.getState().view.open).toBe(opens)
      expect(currentView(kit.getState().view).name).toBe(opens ? 'UnsupportedChain' : 'Connect')
    },
  )

  test('§3.4/6 §3.4/7 §4.4 the CAIP address follows the wallet’s account and chain', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    const accounts = [{ namespace: 'eip155' as const, address: '0xnew', type: 'eoa' as const }]
    wallets.emit({ type: 'accountsChanged', connectorId: wallets.ids[0], accounts })
    expect(getAccount(kit.getState())).toMatchObject({
      address: '0xnew',
      caipAddress: 'eip155:1:0xnew',
    })
  })
})

describe('messages', () => {
  test('§4.3.4 toasts have four variants and expire, except loading toasts', () => {
    const { kit } = start()
    for (const variant of ['info', 'success', 'error'] as const) {
      showToast(kit, variant, 'text')
      expect(kit.getState().toast).toMatchObject({ variant, message: 'text' })
      vi.advanceTimersByTime(2_500)
      expect(kit.getState().toast).toBeUndefined()
    }
    showToast(kit, 'loading', 'text')
    vi.advanceTimersByTime(60_000)
    expect(kit.getState().toast?.variant).toBe('loading')
  })

  test('§8.8.3 an alert is shown once', async () => {
    const { kit } = start({ debug: true })
    kit.alert('ORIGIN_NOT_ALLOWED')
    kit.alert('ORIGIN_NOT_ALLOWED')
    await expect.poll(() => kit.getState().alerts).not.toEqual([])
    expect(kit.getState().alerts).toHaveLength(1)
    expect(logged.error).toHaveBeenCalledOnce()
  })

  test('§8.8.3 an alert with other values is shown too', async () => {
    const { kit } = start({ debug: true })
    kit.alert('SERVER_ERROR_APP_CONFIGURATION', { message: 'a' })
    kit.alert('SERVER_ERROR_APP_CONFIGURATION', { message: 'b' })
    await expect.poll(() => logged.error).toHaveBeenCalledTimes(2)
  })

  test('an option that does not fit the others raises an alert in a browser, not on a server', async () => {
    start({ projectId: 'p1' })
    await expect.poll(() => logged.warn).toHaveBeenCalledOnce()
    vi.stubGlobal('window', undefined)
    start({ projectId: 'p1' })
    await vi.dynamicImportSettled()
    expect(logged.warn).toHaveBeenCalledOnce()
  })

  test('alerts are logged, and shown only with debug', async () => {
    const { kit } = start()
    kit.alert('RATE_LIMITED_APP_CONFIGURATION')
    await expect.poll(() => logged.error).toHaveBeenCalledOnce()
    expect(kit.getState().alerts).toEqual([])
    expect(logged.error).toHaveBeenCalledOnce()
  })
})

describe('lifetime', () => {
  test('prefetch and open load the modal, unless the loader is removed', () => {
    const { kit } = start()
    let loads = 0
    const remove = kit.onPrefetch(() => (loads += 1))
    kit.prefetch()
    expect(loads).toBe(1)
    void kit.open()
    expect(loads).toBe(2)
    remove()
    kit.prefetch()
    expect(loads).toBe(2)
  })

  test('with `prefetch: none`, only open loads the modal', () => {
    const { kit } = start({ prefetch: 'none' })
    let loads = 0
    kit.onPrefetch(() => (loads += 1))
    kit.prefetch()
    expect(loads).toBe(0)
    void kit.open()
    expect(loads).toBe(1)
  })

  test('a listener is called until it is removed', () => {
    const { kit } = start()
    const seen: unknown[] = []
    const remove = kit.on('MODAL_OPEN', (properties) => seen.push(properties))
    void kit.open()
    remove()
    kit.close()
    void kit.open()
    expect(seen).toEqual([{ connected: false }])
  })

  test('with ssr, wallets are discovered by start()', () => {
    const { kit } = start({ ssr: true })
    expect(kit.getState().connectors).toEqual([])
    kit.start()
    expect(kit.getState().connectors).toHaveLength(2)
  })

  test('on a server, no wallet is discovered', async () => {
    vi.stubGlobal('window', undefined)
    const { kit } = start({ storage: undefined })
    await kit.ready()
    expect(kit.getState().connectors).toEqual([])
  })

  test('on a server, the browser’s storage is not used', () => {
    const browser = memoryStorage()
    vi.stubGlobal('localStorage', browser)
    const select = () =>
      start({ storage: undefined, storageKey: 'book' }).kit.dispatch({
        type: 'connection.networkSelected',
        namespace: 'eip155',
        networkId: 'eip155:10',
      })
    vi.stubGlobal('window', undefined)
    select()
    expect(browser.getItem('book')).toBeNull()
    vi.stubGlobal('window', {})
    select()
    expect(browser.getItem('book')).toContain('"eip155:10"')
  })

  test('with ssr, the first render uses the stored state only if the server had it', async () => {
    const storage = memoryStorage()
    const first = start({ storage })
    await connect(first.kit, { connectorId: first.wallets.ids[0] })
    const statusOf = (getServerItem?: KeyValueStorage['getServerItem']) => {
      const { kit } = start({ storage: { ...storage, getServerItem }, ssr: true })
      expect(kit.getState()).toBe(kit.getInitialState())
      return kit.getState().chains.eip155?.status
    }
    expect(statusOf()).toBe('disconnected')
    expect(statusOf(() => null)).toBe('disconnected')
    expect(statusOf(() => '{')).toBe('disconnected')
    expect(statusOf((key) => storage.getItem(key))).toBe('reconnecting')
  })

  test('without ssr, the stored state is used except for hydration', async () => {
    const storage = memoryStorage()
    const first = start({ storage })
    await connect(first.kit, { connectorId: first.wallets.ids[0] })
    const { kit } = start({ storage })
    expect(kit.getInitialState().chains.eip155?.status).toBe('disconnected')
    expect(kit.getState().chains.eip155?.status).toBe('reconnecting')
  })

  test('a wallet that connects while the stored state is being restored stays connected', async () => {
    const storage = memoryStorage()
    const first = start({ storage })
    await connect(first.kit, { connectorId: first.wallets.ids[0] })
    const served = storage.getItem('gatefold')
    const { kit, wallets } = start({
      storage: { ...memoryStorage(), getServerItem: () => served },
      ssr: true,
    })
    const ready = kit.ready()
    await connect(kit, { connectorId: wallets.ids[1] })
    await ready
    const connected = kit.getState().chains.eip155?.connections.map((one) => one.connectorId)
    expect(connected).toEqual([wallets.ids[1]])
  })

  test('an account that the server rendered from an older cookie is removed', async () => {
    const storage = memoryStorage()
    const first = start({ storage })
    await connect(first.kit, { connectorId: first.wallets.ids[0] })
    const served = storage.getItem('gatefold')
    const { kit } = start({
      storage: { ...memoryStorage(), getServerItem: () => served },
      ssr: true,
    })
    expect(kit.getState().chains.eip155?.connections).toHaveLength(1)
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({ status: 'disconnected', connections: [] })
  })

  test('the initial state remains that of the first render', () => {
    const { kit } = start({
      ssr: true,
      locale: 'de',
      locales: { de: async () => ({ default: {} }) },
      enableEmbedded: true,
    })
    const before = kit.getState()
    expect(before).toMatchObject({ locale: 'de', view: { embedded: true } })
    kit.start()
    expect(kit.getState()).not.toBe(before)
    expect(kit.getInitialState()).toBe(before)
    expect(start().kit.getState()).toMatchObject({ locale: 'en', view: { embedded: false } })
  })

  test('subscribers are notified only of changes, until they unsubscribe', () => {
    const { kit } = start()
    let changes = 0
    const unsubscribe = kit.subscribe(() => (changes += 1))
    kit.dispatch({ type: 'locale.changed', locale: 'de' })
    kit.dispatch({ type: 'namespace.activated', namespace: 'eip155' })
    expect(changes).toBe(1)
    unsubscribe()
    kit.dispatch({ type: 'locale.changed', locale: 'en' })
    expect(changes).toBe(1)
  })

  test('an adapter is started once, and not after destroy', () => {
    const { kit } = start({ ssr: true })
    const adapter = kit.adapters.get('eip155')!
    const begin = vi.spyOn(adapter, 'start')
    kit.start()
    kit.start()
    expect(begin).toHaveBeenCalledOnce()
    const other = start({ ssr: true }).kit
    other.destroy()
    other.start()
    expect(other.getState().connectors).toEqual([])
  })

  test('the public instance has only the public members', () => {
    const { kit } = start()
    expect(kit.kit).not.toHaveProperty('dispatch')
    expect(instanceOf(kit.kit)).toBe(kit)
    expect(instanceOf(kit)).toBe(kit)
    expect(kit.kit.getState()).toBe(kit.getState())
  })

  test('destroy cancels pending timers and runs each cleanup once; a canceled timer does not run', () => {
    const { kit } = start()
    const done: string[] = []
    kit.later(() => done.push('canceled'), 10)()
    kit.later(() => done.push('late'), 10)
    kit.later(() => done.push('destroyed'), 20)
    kit.onDestroy(() => done.push('cleanup'))
    vi.advanceTimersByTime(10)
    expect(done).toEqual(['late'])
    kit.destroy()
    kit.destroy()
    vi.advanceTimersByTime(20)
    expect(done).toEqual(['late', 'cleanup'])
  })

  test.each([
    ['corrupt', () => '{'],
    [
      'unavailable',
      () => {
        throw new DOMException('denied', 'SecurityError')
      },
    ],
  ])(
    'error: a storage that is %s raises an alert, and the page works',
    async (problem, getItem) => {
      const { kit, wallets } = start({ storage: { ...memoryStorage(), getItem }, debug: true })
      await connect(kit, { connectorId: wallets.ids[0] })
      expect(kit.getState().chains.eip155?.status).toBe('connected')
      await expect
        .poll(() => kit.getState().alerts)
        .toMatchObject([
          { code: 'STORAGE_PROBLEM', hint: expect.stringContaining(`Storage is ${problem}: `) },
        ])
    },
  )

  test('two instances are independent', async () => {
    const a = start()
    const b = start()
    await connect(a.kit, { connectorId: a.wallets.ids[0] })
    void a.kit.open()
    expect(b.kit.getState().view.open).toBe(false)
    expect(getAccount(b.kit.getState())).toBeUndefined()
    expect(b.events).toEqual([])
  })

  test('destroy removes all listeners and timers, and rejects pending and later open() calls', async () => {
    const { kit, wallets, events } = start()
    const opened = kit.open()
    showToast(kit, 'info', 'text')
    kit.destroy()
    await expect(opened).rejects.toThrow('closed')
    expect(events.at(-1)).toBe('MODAL_CLOSE {"connected":false}')
    expect(vi.getTimerCount()).toBe(0)
    expect(wallets.destroyed).toBe(true)
    const before = kit.getState()
    wallets.emit({ type: 'connectors', connectors: [] })
    expect(kit.getState()).toBe(before)
    await expect(kit.open()).rejects.toThrow('destroyed')
  })
})

describe('the gateway client', () => {
  const loader = () => {
    const loads: unknown[] = []
    const loadGateway = async (parameters: unknown) => {
      loads.push(parameters)
      if (loads.length === 1) throw new TypeError('offline')
      return {} as GatewayClient
    }
    return { loads, loadGateway }
  }
  const base = {
    metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
    networks: [mainnet],
    storage: memoryStorage(),
  } as const
  const url = 'https://gate.example'

  test('is loaded once, with the URL and the project, and again after a failure', async () => {
    const { loads, loadGateway } = loader()
    const kit = createKit({ ...base, endpoints: url, projectId: 'p1' }, { loadGateway })
    expect(await kit.gateway()).toBeUndefined()
    const clients = await Promise.all([kit.gateway(), kit.gateway()])
    expect(clients[0]).toBeDefined()
    expect(clients[1]).toBe(clients[0])
    expect(loads).toEqual([
      { url, projectId: 'p1' },
      { url, projectId: 'p1' },
    ])
    kit.destroy()
    expect(await kit.gateway()).toBeUndefined()
  })

  test('is not loaded without a gateway', async () => {
    const { loads, loadGateway } = loader()
    const kit = createKit({ ...base, endpoints: { relay: url } }, { loadGateway })
    expect(await kit.gateway()).toBeUndefined()
    expect(loads).toEqual([])
    const bare = createKit({ ...base, endpoints: url })
    expect(await bare.gateway()).toBeUndefined()
    for (const each of [kit, bare]) each.destroy()
  })
})

describe('events', () => {
  const opened = { event: 'MODAL_OPEN', properties: { connected: false } } as const
  const initialized = {
    event: 'INITIALIZE',
    properties: { networks: [], version: '1' },
  } as const
  const sent = async (options: Partial<GatefoldOptions>) => {
    const received: unknown[] = []
    const { kit } = start(
      { analytics: (event) => received.push(event), ...options },
      { analyticsEnabled: async () => true, send: async ({ event }) => void posted.push(event) },
    )
    const posted: unknown[] = []
    kit.track(opened)
    kit.track(initialized)
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(10)
    expect(received).toEqual([opened, initialized])
    kit.destroy()
    kit.track(opened)
    expect(received).toHaveLength(2)
    return new Set(posted)
  }

  test('§7.7.2 are sent to the gateway, with analytics off only the essential ones', async () => {
    expect(await sent({})).toEqual(new Set(['INITIALIZE', 'MODAL_OPEN']))
    expect(await sent({ features: { legalCheckbox: true } })).toEqual(
      new Set(['INITIALIZE', 'MODAL_OPEN']),
    )
    expect(await sent({ features: { analytics: false } })).toEqual(new Set(['INITIALIZE']))
    expect(await sent({ endpoints: {} })).toEqual(new Set())
  })
})

describe('what an instance passes to its adapters and connectors', () => {
  const solana = {
    ...mainnet,
    id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    chainNamespace: 'solana' as const,
  }
  const solanaId = `solana:${solana.id}`
  const ids = (networks: readonly Network[]) => networks.map(({ caipNetworkId }) => caipNetworkId)

  function contexts(options: Partial<GatefoldOptions> = {}) {
    let adapter: AdapterContext
    let connector: ConnectorContext
    const wallets = memoryAdapter()
    const relay = toyConnector()
    const storage = memoryStorage()
    const { kit } = start({
      networks: [mainnet, solana, optimism],
      storage,
      adapters: [
        {
          ...wallets.factory,
          methods: ['eth_sign'],
          create: (context) => wallets.factory.create((adapter = context)),
        },
      ],
      connectors: [() => undefined, (context) => relay.factory((connector = context))],
      ...options,
    })
    return { kit, storage, relay, wallets, adapter: adapter!, connector: connector! }
  }

  test('are the networks of their families, and the active one', async () => {
    const { kit, wallets, adapter, connector } = contexts()
    expect(ids(adapter.networks())).toEqual(['eip155:1', 'eip155:10'])
    expect(ids(connector.networks())).toEqual(['eip155:1', 'eip155:10'])
    expect(adapter.defaultNetwork()?.caipNetworkId).toBe('eip155:1')
    expect(connector.activeNetwork('eip155')?.caipNetworkId).toBe('eip155:1')
    wallets.emit({ type: 'networkSelected', caipNetworkId: 'eip155:10' })
    wallets.emit({ type: 'networkSelected', caipNetworkId: 'eip155:999' })
    expect(adapter.defaultNetwork()?.caipNetworkId).toBe('eip155:10')
    expect(connector.activeNetwork('eip155')?.caipNetworkId).toBe('eip155:10')
    kit.dispatch({ type: 'networks.changed', networks: [] })
    expect(adapter.networks()).toEqual([])
    expect(connector.networks()).toEqual([])
  })

  test('without adapters, are the networks of all families', () => {
    const { connector } = contexts({ adapters: [] })
    expect(connector.namespaces).toEqual(['eip155', 'solana'])
    expect(connector.networks()).toHaveLength(3)
    expect(connector.methods('eip155')).toBeUndefined()
    expect(contexts({ adapters: undefined }).connector.methods('eip155')).toBeUndefined()
  })

  test('are the methods, the wallets and the storage', async () => {
    const { storage, adapter, connector } = contexts({
      storageKey: 'book',
      customWallets: [{ id: 'w', name: 'W' }],
    })
    expect(connector.namespaces).toEqual(['eip155'])
    expect(connector.methods('eip155')).toEqual(['eth_sign'])
    expect(connector.methods('solana')).toBeUndefined()
    expect(await connector.findWallet('w')).toMatchObject({ name: 'W' })
    connector.storage.setItem('a', '1')
    adapter.storage.setItem('b', '2')
    expect([storage.getItem('a'), storage.getItem('book.b')]).toEqual(['1', '2'])
  })

  test('are all networks of the site, its gateway and the current language', async () => {
    const { kit, connector } = contexts({ locale: 'en-GB' })
    expect(ids(connector.allNetworks())).toEqual(['eip155:1', solanaId, 'eip155:10'])
    kit.dispatch({ type: 'networks.changed', networks: [] })
    expect(connector.allNetworks()).toEqual([])
    expect(connector.locale()).toBe('en-GB')
    kit.dispatch({ type: 'locale.changed', locale: 'en' })
    expect(connector.locale()).toBe('en')
    expect(await connector.gateway()).toBeUndefined()
  })

  test('is the client of the gateway', async () => {
    let connector: ConnectorContext
    const relay = toyConnector()
    const client: Partial<GatewayClient> = { analyticsEnabled: async () => false }
    start({ connectors: [(context) => relay.factory((connector = context))] }, client)
    expect(await connector!.gateway()).toBe(client)
  })

  test('are the connectors that support the family, and their sessions', async () => {
    const { kit, relay, adapter } = contexts()
    expect(adapter.connectors().map(({ id }) => id)).toEqual(['toy.relay'])
    expect([...kit.connectors.keys()]).toEqual(['toy.relay'])
    expect(adapter.session('toy.relay')).toBeUndefined()
    relay.approveEarlier()
    expect(adapter.session('toy.relay')?.peer.name).toBe('Toy Phone')
    await expect.poll(() => getAccount(kit.getState())).toBeDefined()
    const detached: unknown[] = []
    kit.adapters.get('eip155')!.detach = (parameters) => detached.push(parameters)
    relay.end('site')
    expect(adapter.session('toy.relay')).toBeUndefined()
    expect(detached).toEqual([{ connectorId: 'toy.relay' }])
  })

  test('are not the connectors of other families', () => {
    const other = toyConnector()
    const { kit, adapter } = contexts({
      connectors: [
        (context) => ({ ...other.factory(context), chain: 'solana', chains: ['solana'] }),
      ],
    })
    expect(kit.connectors.size).toBe(1)
    expect(adapter.connectors()).toEqual([])
  })

  test.each([
    [{}, { ssr: false, eip6963: true, injected: true }],
    [{ ssr: true }, { ssr: true, eip6963: true, injected: true }],
    [{ enableEIP6963: false }, { ssr: false, eip6963: false, injected: true }],
    [{ enableInjected: false }, { ssr: false, eip6963: true, injected: false }],
  ])('§3.20 for the options %j, are the adapter options %j', (options, expected) => {
    expect(contexts(options).adapter.options).toEqual(expected)
  })

  test('on a server, no connectors are created', () => {
    vi.stubGlobal('window', undefined)
    const { kit } = start({ connectors: [toyConnector().factory] })
    expect(kit.connectors.size).toBe(0)
  })

  test('error: a session change that cannot be applied is logged', async () => {
    const { kit, relay } = contexts()
    const connecting = connect(kit, { connectorId: 'toy.relay' })
    await expect.poll(() => kit.getState().attempt?.progress).toBeDefined()
    relay.approve()
    await connecting
    kit.connectors.get('toy.relay')!.disconnect = () => Promise.reject(new TypeError('offline'))
    relay.revoke('eip155')
    await expect
      .poll(() => logged.warn.mock.calls)
      .toEqual([['Gatefold: the session change could not be applied.', expect.any(TypeError)]])
    expect(getAccount(kit.getState())).toBeUndefined()
  })

  test('alerts of adapters and connectors are shown with their values', async () => {
    const { kit, wallets, connector } = contexts({ debug: true })
    const values = { networkId: 'eip155:9' }
    wallets.emit({ type: 'alert', code: 'SWITCH_NETWORK_NOT_FOUND', values })
    connector.emit({
      type: 'alert',
      code: 'SERVER_ERROR_APP_CONFIGURATION',
      values: { message: 'Out of memory.' },
    })
    await expect
      .poll(() => kit.getState().alerts)
      .toMatchObject([
        { code: 'SWITCH_NETWORK_NOT_FOUND', hint: expect.stringContaining('eip155:9') },
        { code: 'SERVER_ERROR_APP_CONFIGURATION', hint: 'Out of memory.' },
      ])
  })

  test('are destroyed with the instance', () => {
    const { kit, wallets } = contexts()
    const destroy = vi.spyOn(kit.connectors.get('toy.relay')!, 'destroy')
    kit.destroy()
    kit.destroy()
    expect(wallets.destroyed).toBe(true)
    expect(destroy).toHaveBeenCalledOnce()
  })
})
