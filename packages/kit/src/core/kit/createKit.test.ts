import { showToast } from '../notifications/showToast.ts'
import { describe, expect, test, vi } from 'vitest'
import { mainnet } from 'viem/chains'
import { isUriUsable } from '../connection/attempt.ts'
import { connect } from '../connection/connect.ts'
import { memoryStorage } from '../storage/storage.ts'
import { goBack, push, replace } from '../view/navigate.ts'
import { safeClose } from '../view/safeClose.ts'
import { addNetwork, removeNetwork } from '../networks/networks.ts'
import { switchNetwork } from '../networks/switchNetwork.ts'
import { getAccount } from '../connection/account.ts'
import { UserRejectedError } from './errors.ts'
import { ModalClosedError } from './kitErrors.ts'
import { currentView } from '../view/view.ts'
import { useKits } from '../testing/useKits.ts'

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
    await vi.waitFor(() => expect(kit.getState().chains.eip155?.status).toBe('reconnecting'))
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

  test('§5.6.3 §5.9.2 §8.8.1/1 error: a network that is not configured raises an alert and fails', async () => {
    const { kit } = start({ debug: true })
    await expect(switchNetwork(kit, { network: { caipNetworkId: 'eip155:999' } })).rejects.toThrow(
      'Network not found',
    )
    await vi.waitFor(() => expect(kit.getState().alerts).toHaveLength(1))
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

  test('§5.6.4 error: a network in a chain family without an adapter is rejected', () => {
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
    await vi.waitFor(() => expect(kit.getState().alerts).not.toEqual([]))
    expect(kit.getState().alerts).toHaveLength(1)
    expect(logged.error).toHaveBeenCalledOnce()
  })

  test('alerts are logged, and shown only with debug', async () => {
    const { kit } = start()
    kit.alert('RATE_LIMITED_APP_CONFIGURATION')
    await vi.waitFor(() => expect(logged.error).toHaveBeenCalledOnce())
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
      await vi.waitFor(() =>
        expect(kit.getState().alerts).toMatchObject([
          { code: 'STORAGE_PROBLEM', hint: expect.stringContaining(`Storage is ${problem}: `) },
        ]),
      )
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
