import { showToast } from '../notifications/showToast.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { mainnet, optimism } from 'viem/chains'

import { createKit } from './createKit.ts'
import { connect, connectWallet } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { goBack, push, safeClose } from '../view/navigate.ts'
import { addNetwork, removeNetwork } from '../networks/networks.ts'
import { switchNetwork } from '../networks/switchNetwork.ts'
import { addRecentWallet } from '../wallets/addRecentWallet.ts'
import { getAccount } from '../connection/account.ts'
import { UserRejectedError } from './errors.ts'
import { ModalClosedError } from './kitErrors.ts'
import type { KitEventName } from '../analytics/events.ts'
import type { KitInstance } from './Kit.ts'
import { memoryAdapter } from '../testing/memoryAdapter.ts'
import type { GatefoldOptions } from './options.ts'
import { memoryStorage } from '../storage/storage.ts'
import { currentView } from '../view/view.ts'

const kits: KitInstance[] = []
let logged: Record<'warn' | 'error' | 'info', ReturnType<typeof vi.fn<() => void>>>
function start(options: Partial<GatefoldOptions> = {}) {
  const wallets = memoryAdapter()
  const kit = createKit({
    metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
    networks: [mainnet, optimism],
    adapters: [wallets.factory],
    storage: memoryStorage(),
    ...options,
  })
  kits.push(kit)
  const events: string[] = []
  const listen = (name: KitEventName) =>
    kit.on(name, (properties) => events.push(`${name} ${JSON.stringify(properties)}`))
  for (const name of [
    'MODAL_OPEN',
    'MODAL_CLOSE',
    'DISCONNECT_SUCCESS',
    'CONNECT_SUCCESS',
    'USER_REJECTED',
  ] as const)
    listen(name)
  const view = () => currentView(kit.getState().view).name
  return { kit, wallets, events, view }
}

beforeEach(() => {
  vi.useFakeTimers()
  // The core detects a server by the absence of `window`.
  vi.stubGlobal('window', { location: { origin: 'https://book.example' } })
  logged = { warn: vi.fn<() => void>(), error: vi.fn<() => void>(), info: vi.fn<() => void>() }
  vi.stubGlobal('console', { ...console, ...logged })
})
afterEach(() => {
  for (const kit of kits.splice(0)) kit.destroy()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('opening and closing', () => {
  test('§4.3.1 §4.3.2 §7.7.3 open and close events include whether a wallet is connected', async () => {
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

  test('§2.5 back closes the modal from the first view', () => {
    const { kit, view } = start()
    void kit.open()
    push(kit, { name: 'AllWallets' })
    goBack(kit)
    expect(view()).toBe('Connect')
    goBack(kit)
    expect(kit.getState().view.open).toBe(false)
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

  test('open resolves with the account that was connected', async () => {
    const { kit, wallets } = start()
    const opened = kit.open()
    await connect(kit, { connectorId: wallets.ids[0] })
    await expect(opened).resolves.toMatchObject({ caipAddress: `eip155:1:${wallets.address(0)}` })
  })

  test('§8.3 error: open rejects with “Modal closed” when nothing was connected', async () => {
    const { kit } = start()
    const opened = kit.open()
    kit.close()
    await expect(opened).rejects.toThrow(ModalClosedError)
    await expect(opened).rejects.toThrow('Modal closed')
  })
})

describe('connecting', () => {
  test('§4.1.5 success stores the family, activates the connector and closes the modal', async () => {
    const { kit, wallets, events } = start()
    void kit.open()
    await connectWallet(kit, { connector: kit.getState().connectors[0]! })
    const { chains, namespace, view } = kit.getState()
    expect(chains.eip155).toMatchObject({ status: 'connected', connectorId: wallets.ids[0] })
    expect(namespace).toBe('eip155')
    expect(view.open).toBe(false)
    expect(kit.persisted.read()).toMatchObject({
      connections: { eip155: { [wallets.ids[0]]: 'connected' } },
      namespace: 'eip155',
    })
    expect(events.some((event) => event.startsWith('CONNECT_SUCCESS'))).toBe(true)
  })

  test('§5.6.5 error: unknown connectors, families and adapters are reported', async () => {
    const { kit, wallets } = start()
    await expect(connect(kit, { connectorId: 'x.y' })).rejects.toThrow(
      'connectExternal: namespace not found',
    )
    await expect(connect(kit, { connectorId: 'x.y', namespace: 'solana' })).rejects.toThrow(
      'connectExternal: adapter not found',
    )
    await expect(connect(kit, { connectorId: 'x.y', namespace: 'eip155' })).rejects.toThrow(
      'connectExternal: connector not found',
    )
    expect(wallets.asked).toEqual([])
  })

  test('behavior: the request is sent before anything else happens', () => {
    const { kit, wallets } = start()
    void kit.open()
    void connectWallet(kit, { connector: kit.getState().connectors[0]! })
    expect(wallets.asked).toEqual([wallets.ids[0]])
  })

  test('§8.11.4 error: a rejection is an outcome, not a failure', async () => {
    const { kit, wallets, view } = start()
    wallets.faults.reject = true
    void kit.open()
    await connectWallet(kit, { connector: kit.getState().connectors[0]! })
    expect(kit.getState().attempt).toMatchObject({ status: 'rejected' })
    expect(kit.getState().chains.eip155?.status).toBe('disconnected')
    expect(view()).toBe('ConnectingExternal')
    await expect(connect(kit, { connectorId: wallets.ids[0] })).rejects.toThrow(UserRejectedError)
  })

  test('behavior: an attempt without a response for a minute is silent, and may still succeed', async () => {
    const { kit, wallets } = start()
    wallets.faults.hang = true
    void kit.open()
    const attempt = connectWallet(kit, { connector: kit.getState().connectors[0]! })
    await vi.waitFor(() => expect(kit.getState().attempt?.status).toBe('waiting'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(kit.getState().attempt?.status).toBe('silent')
    wallets.release()
    await attempt
    expect(kit.getState().chains.eip155?.status).toBe('connected')
  })

  test('behavior: an aborted attempt changes nothing', async () => {
    const { kit, wallets, events } = start()
    wallets.faults.hang = true
    void kit.open()
    const attempt = connectWallet(kit, { connector: kit.getState().connectors[0]! })
    await vi.waitFor(() => expect(kit.getState().attempt?.status).toBe('waiting'))
    kit.close()
    wallets.release()
    await attempt
    expect(kit.getState().chains.eip155?.status).toBe('disconnected')
    expect(events.some((event) => event.startsWith('CONNECT'))).toBe(false)
  })

  test('§5.6.5 error: an unknown connector or a missing adapter is reported', async () => {
    const { kit } = start()
    await expect(connect(kit, { connectorId: 'nobody' })).rejects.toThrow(
      'connectExternal: namespace not found',
    )
    await expect(connect(kit, { connectorId: 'x', namespace: 'solana' })).rejects.toThrow(
      'adapter not found',
    )
  })
})

describe('several wallets', () => {
  test('§4.1.2 the stored state marks the active connector', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    await connect(kit, { connectorId: wallets.ids[1] })
    expect(kit.persisted.read().connections.eip155).toEqual({
      [wallets.ids[0]]: 'active',
      [wallets.ids[1]]: 'connected',
    })
    await disconnect(kit, { connectorId: wallets.ids[1] })
    expect(kit.persisted.read().connections.eip155).toEqual({
      [wallets.ids[0]]: 'connected',
      [wallets.ids[1]]: 'disconnected',
    })
  })

  test('behavior: connecting another wallet from the wallet list returns to that list', async () => {
    const { kit, wallets, view } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    void kit.open({ view: 'ProfileWallets' })
    push(kit, { name: 'Connect' })
    await connectWallet(kit, { connector: kit.getState().connectors[1]! })
    expect(view()).toBe('ProfileWallets')
    expect(kit.getState().toast).toMatchObject({ variant: 'success' })
  })
})

describe('disconnecting', () => {
  test('§4.1.6 §4.1.8 §7.7.3 state and storage are reset, the event is emitted, and the modal closes', async () => {
    const { kit, wallets, events } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    void kit.open()
    await disconnect(kit)
    const { chains, view } = kit.getState()
    expect(chains.eip155).toMatchObject({
      status: 'disconnected',
      connectorId: undefined,
      connections: [],
    })
    expect(getAccount(kit.getState())).toBeUndefined()
    expect(view.open).toBe(false)
    expect(kit.persisted.read().connections.eip155).toEqual({ [wallets.ids[0]]: 'disconnected' })
    expect(events).toContain('DISCONNECT_SUCCESS {"namespace":"eip155"}')
  })

  test('§4.1.8 a wallet without accounts is disconnected', async () => {
    const { kit, wallets, events } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    wallets.emit({ type: 'accountsChanged', connectorId: wallets.ids[0], accounts: [] })
    expect(kit.getState().chains.eip155?.status).toBe('disconnected')
    expect(events).toContain('DISCONNECT_SUCCESS {"namespace":"eip155"}')
  })

  test('§8.4 error: throws “Failed to disconnect” if the wallet rejects', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    wallets.faults.disconnect = true
    await expect(disconnect(kit)).rejects.toThrow('Failed to disconnect')
  })
})

describe('restoring', () => {
  async function leave(options: Partial<GatefoldOptions> = {}) {
    const storage = memoryStorage()
    const { kit, wallets } = start({ storage })
    await connect(kit, { connectorId: wallets.ids[0] })
    await switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })
    kits.splice(kits.indexOf(kit), 1)
    return { storage, ...options }
  }

  test('§4.1.3 a connected wallet is restored on its network', async () => {
    const storage = (await leave()).storage
    const { kit, wallets } = start({ storage })
    expect(kit.getState().chains.eip155?.status).toBe('reconnecting')
    wallets.chainId = 10
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({
      status: 'connected',
      networkId: 'eip155:10',
    })
    expect(wallets.asked).toEqual([])
  })

  test('§4.1.3 §8.11.6 a failed restore ends disconnected, with a warning', async () => {
    const storage = (await leave()).storage
    const { kit, wallets } = start({ storage })
    wallets.faults.reconnect = true
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({ status: 'disconnected', connections: [] })
    expect(logged.warn).toHaveBeenCalledOnce()
  })

  test('§4.1.6 disconnecting while a wallet is being restored disconnects it', async () => {
    const storage = (await leave()).storage
    const { kit, wallets } = start({ storage })
    expect(kit.getState().chains.eip155?.status).toBe('reconnecting')
    await disconnect(kit, { namespace: 'eip155', connectorId: wallets.ids[0] })
    await kit.ready()
    expect(kit.getState().chains.eip155).toMatchObject({ status: 'disconnected', connections: [] })
    expect(kit.persisted.read().connections.eip155).toEqual({ [wallets.ids[0]]: 'disconnected' })
  })

  test('§4.1.6 disconnecting one chain family does not wait for a wallet of another', async () => {
    const storage = (await leave()).storage
    const { kit, wallets } = start({ storage })
    wallets.faults.hang = true
    await disconnect(kit, { namespace: 'solana' })
    expect(kit.getState().chains.eip155?.status).toBe('reconnecting')
    wallets.faults.hang = false
    wallets.release()
    await kit.ready()
    expect(kit.getState().chains.eip155?.status).toBe('connected')
  })

  test('§4.1.4 without reconnecting, the page starts disconnected and disconnects the wallet', async () => {
    const storage = (await leave()).storage
    const { kit, wallets } = start({ storage, enableReconnect: false })
    expect(kit.getState().chains.eip155?.status).toBe('disconnected')
    await kit.ready()
    expect(wallets.released).toBe(true)
    expect(kit.persisted.read().connections.eip155).toEqual({ [wallets.ids[0]]: 'disconnected' })
  })

  test('§9.2 the two most recent wallets are stored, newest first', async () => {
    const storage = memoryStorage()
    const { kit } = start({ storage })
    for (const name of ['a', 'b', 'a', 'c']) addRecentWallet(kit, { id: name, name })
    const next = start({ storage })
    await next.kit.ready()
    expect(next.kit.getState().recent.map(({ id }) => id)).toEqual(['c', 'a'])
  })

  test('§9.12.3 with ssr the first render matches the server’s, whatever is stored', async () => {
    const storage = (await leave()).storage
    const { kit } = start({ storage, ssr: true })
    expect(kit.getInitialState().chains.eip155).toMatchObject({ status: 'disconnected' })
    await kit.ready()
    expect(kit.getState().chains.eip155?.status).toBe('connected')
  })
})

describe('networks', () => {
  test('§4.6.2 requests the switch from the connected wallet', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    await switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })
    expect(wallets.chainId).toBe(10)
    expect(getAccount(kit.getState())?.caipAddress).toBe(`eip155:10:${wallets.address(0)}`)
  })

  test('§4.6.2 without a wallet, only the active network changes', async () => {
    const { kit, wallets } = start()
    await switchNetwork(kit, { network: { caipNetworkId: 'eip155:10' } })
    expect(kit.getState().chains.eip155?.networkId).toBe('eip155:10')
    expect(wallets.chainId).toBe(1)
  })

  test('§5.6.3 §5.9.2 §8.8.1 error: a network that is not configured raises an alert and fails', async () => {
    const { kit } = start({ debug: true })
    await expect(switchNetwork(kit, { network: { caipNetworkId: 'eip155:999' } })).rejects.toThrow(
      'Network not found',
    )
    await vi.waitFor(() => expect(kit.getState().alerts).toHaveLength(1))
    expect(kit.getState().alerts).toMatchObject([
      { code: 'SWITCH_NETWORK_NOT_FOUND', message: 'Network Not Found' },
    ])
  })

  test('error: a rejected switch stays in the state for the view', async () => {
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
    '§4.6.1 §8.6.1 a wallet on an unknown chain, with options %j: the UnsupportedChain view opens: %s',
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

  test('§4.4 the CAIP address follows the wallet’s account and chain', async () => {
    const { kit, wallets } = start()
    await connect(kit, { connectorId: wallets.ids[0] })
    const accounts = [{ namespace: 'eip155' as const, address: '0xnew', type: 'eoa' as const }]
    wallets.emit({ type: 'accountsChanged', connectorId: wallets.ids[0], accounts })
    expect(getAccount(kit.getState())).toMatchObject({
      address: '0xnew',
      caipAddress: 'eip155:1:0xnew',
    })
  })

  test('§5.6.4 error: a network of a family without an adapter is rejected', () => {
    const { kit } = start()
    const solana = {
      ...mainnet,
      id: 'x',
      chainNamespace: 'solana' as const,
    }
    expect(() => addNetwork(kit, solana)).toThrow("Adapter for namespace solana doesn't exist")
    expect(() => removeNetwork(kit, { namespace: 'solana', id: 'x' })).toThrow(
      "Adapter for namespace solana doesn't exist",
    )
  })
})

describe('messages', () => {
  test('§4.3.4 toasts have four variants and expire, except loading ones', () => {
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
    await vi.waitFor(() => expect(kit.getState().alerts).not.toEqual([]))
    expect(kit.getState().alerts).toHaveLength(1)
    expect(logged.error).toHaveBeenCalledOnce()
  })

  test('behavior: alerts are logged, and shown only with debug', async () => {
    const { kit } = start()
    kit.alert('RATE_LIMITED_APP_CONFIGURATION')
    await vi.waitFor(() => expect(logged.error).toHaveBeenCalledOnce())
    expect(kit.getState().alerts).toEqual([])
    expect(logged.error).toHaveBeenCalledOnce()
  })
})

describe('lifetime', () => {
  test('two instances are independent', async () => {
    const a = start()
    const b = start()
    await connect(a.kit, { connectorId: a.wallets.ids[0] })
    void a.kit.open()
    expect(b.kit.getState().view.open).toBe(false)
    expect(getAccount(b.kit.getState())).toBeUndefined()
    expect(b.events).toEqual([])
  })

  test('destroy removes all listeners, timers and elements', async () => {
    const { kit, wallets } = start()
    const opened = kit.open()
    safeClose(kit)
    showToast(kit, 'info', 'text')
    kit.destroy()
    await expect(opened).rejects.toThrow('closed')
    expect(vi.getTimerCount()).toBe(0)
    expect(wallets.destroyed).toBe(true)
    const before = kit.getState()
    wallets.emit({ type: 'connectors', connectors: [] })
    expect(kit.getState()).toBe(before)
    await expect(kit.open()).rejects.toThrow('destroyed')
  })
})
