import { describe, expect, test, vi } from 'vitest'

import { ConnectExpiredError } from '../kit/errors.ts'
import { nextTask } from '../kit/nextTask.ts'
import type { GatefoldOptions } from '../kit/options.ts'
import { memoryStorage } from '../storage/storage.ts'
import { toyConnector } from '../testing/toyConnector.ts'
import { useKits } from '../testing/useKits.ts'
import { goBack, push } from '../view/navigate.ts'
import type { ViewName } from '../view/view.ts'
import { isConnectedBy } from './account.ts'
import { connect, connectWallet, requestUri, selectWallet } from './connect.ts'

const { start } = useKits()
const orrery = { id: 'orrery', name: 'Orrery', mobile_link: 'orrery://' }

/** A site with two installed wallets and a phone that connects by QR code. */
function site(
  options: Partial<GatefoldOptions> = {},
  info: Parameters<typeof toyConnector>[0] = {},
) {
  const phone = toyConnector({
    universal: true,
    view: 'ConnectingWalletConnect',
    type: 'WALLET_CONNECT',
    ...info,
  })
  const started = start({ connectors: [phone.factory], ...options })
  const { kit } = started
  const phoneConnector = () => kit.getState().connectors.find(({ id }) => id === 'toy.relay')!
  const installed = (index = 0) =>
    kit.getState().connectors.filter(({ type }) => type === 'ANNOUNCED')[index]!
  const history = () => kit.getState().view.history.map(({ name }) => name)
  /** The names of all views that are shown from now on. */
  const shown = () => {
    const names = new Set<ViewName>()
    kit.subscribe(() => kit.getState().view.open && names.add(started.view()))
    return names
  }
  const settled = () => expect.poll(() => kit.getState().attempt?.status).not.toBe('waiting')
  return { ...started, phone, phoneConnector, installed, history, shown, settled }
}

describe('an attempt by QR code', () => {
  test('shows each URI, and when it expires', () => {
    const { kit, phone } = site()
    void kit.open()
    selectWallet(kit, orrery)
    expect(kit.getState().attempt).toMatchObject({
      connectorId: 'toy.relay',
      namespace: undefined,
      status: 'waiting',
      progress: { uri: 'toy:1' },
    })
    const { onProgress } = phone.requests[0]!
    onProgress!({ type: 'uri', uri: 'toy:1', expired: true })
    expect(kit.getState().attempt?.status).toBe('expired')
    onProgress!({ type: 'uri', uri: 'toy:2' })
    expect(kit.getState().attempt).toMatchObject({ status: 'waiting', progress: { uri: 'toy:2' } })
  })

  test('does not become silent, because the visitor needs time to scan', async () => {
    const { kit } = site()
    void kit.open({ view: 'ConnectingWalletConnect' })
    requestUri(kit)
    await nextTask()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(kit.getState().attempt?.status).toBe('waiting')
  })

  test.each([
    ['expired', new ConnectExpiredError(), 'The connection request expired', []],
    [
      'failed',
      new TypeError('socket'),
      'Failed to connect',
      ['CONNECT_ERROR {"message":"Failed to connect"}'],
    ],
  ])('error: the status is %s after %o', async (status, error, message, tracked) => {
    const { kit, phone, events, settled } = site()
    void kit.open()
    selectWallet(kit, orrery)
    phone.fail(error)
    await settled()
    expect(kit.getState().attempt).toMatchObject({
      status,
      isRetry: false,
      error: { shortMessage: message },
    })
    expect(kit.getState().attempt?.error?.walk()).toBe(error)
    expect(Object.keys(kit.getState().chains)).toEqual(['eip155'])
    // The connector may still be creating URIs.
    expect(phone.requests[0]?.signal?.reason).toMatchObject({ code: 'modal.closed' })
    requestUri(kit, { renew: true })
    expect(kit.getState().attempt?.isRetry).toBe(status === 'failed')
    expect(events.filter((event) => event.startsWith('CONNECT_ERROR'))).toEqual(tracked)
  })

  test('error: a rejection is reported to the site', async () => {
    const { kit, phone, events, settled } = site()
    void kit.open()
    selectWallet(kit, orrery)
    phone.reject()
    await settled()
    expect(kit.getState().attempt?.status).toBe('rejected')
    expect(events.slice(1)).toEqual(['USER_REJECTED {"message":"Connection rejected"}'])
  })

  test('success reports the method and the view, and stores the wallet as recent', async () => {
    const { kit, phone, events } = site()
    void kit.open()
    selectWallet(kit, orrery)
    phone.approve()
    await expect.poll(() => kit.getState().view.open).toBe(false)
    expect(kit.getState().attempt).toBeUndefined()
    expect(Object.keys(kit.getState().chains)).toEqual(['eip155'])
    expect(kit.persisted.read().recent).toEqual(['orrery'])
    expect(events).toContain(
      'CONNECT_SUCCESS {"method":"qrcode","name":"Toy Phone","view":"ConnectingWalletConnect"}',
    )
  })

  test.each(['ConnectingWalletConnect', 'ConnectingWalletConnectBasic'] as const)(
    'is shown by %s while the page is visible',
    (view) => {
      const { kit, phone } = site()
      void kit.open({ view })
      requestUri(kit)
      const { isShown } = phone.requests[0]!
      expect(isShown!()).toBe(true)
      vi.stubGlobal('document', { visibilityState: 'hidden' })
      expect(isShown!()).toBe(false)
      vi.stubGlobal('document', { visibilityState: 'visible' })
      expect(isShown!()).toBe(true)
      push(kit, { name: 'WhatIsAWallet' })
      expect(isShown!()).toBe(false)
      goBack(kit)
      kit.close()
      expect(isShown!()).toBe(false)
    },
  )

  test('keeps its URI for another wallet, and gets a new URI once the old one has expired', () => {
    const { kit, phone } = site()
    void kit.open()
    selectWallet(kit, orrery)
    goBack(kit)
    selectWallet(kit, { id: 'sextant', name: 'Sextant' })
    expect(phone.requests).toHaveLength(1)
    phone.requests[0]!.onProgress!({ type: 'uri', uri: 'toy:1', expiresAt: Date.now() - 1 })
    requestUri(kit)
    expect(phone.requests).toHaveLength(2)
    expect(phone.requests[0]!.signal?.aborted).toBe(true)
    requestUri(kit, { renew: true })
    expect(phone.requests).toHaveLength(3)
    expect(kit.getState().attempt).toMatchObject({ status: 'waiting', progress: { uri: 'toy:1' } })
  })

  test('replaces a pending attempt to connect an installed wallet', async () => {
    const { kit, wallets, phone, installed } = site()
    wallets.faults.hang = true
    void kit.open()
    void connectWallet(kit, { connector: installed() })
    await expect.poll(() => kit.getState().attempt?.connectorId).toBe(wallets.ids[0])
    requestUri(kit)
    expect(phone.requests).toHaveLength(1)
    wallets.faults.reject = true
    wallets.release()
    await vi.advanceTimersByTimeAsync(1)
    expect(kit.getState().attempt).toMatchObject({ connectorId: 'toy.relay', status: 'waiting' })
  })

  test('leaves the view for an unsupported chain open', async () => {
    const { kit, wallets, phone, history } = site()
    kit.adapters.get('eip155')!.attach = async () =>
      wallets.emit({
        type: 'connected',
        active: true,
        connection: {
          connectorId: 'toy.relay',
          accounts: [{ namespace: 'eip155', address: wallets.address(0), type: 'eoa' }],
          caipNetworkId: 'eip155:999',
        },
      })
    void kit.open()
    selectWallet(kit, orrery)
    phone.approve()
    await expect.poll(() => kit.getState().attempt).toBeUndefined()
    expect(history()).toEqual(['UnsupportedChain'])
    expect(kit.getState().view.open).toBe(true)
  })

  test('error: a session without an account is ended', async () => {
    const { kit, phone } = site()
    phone.granted = []
    const connecting = connect(kit, { connectorId: 'toy.relay' })
    phone.approve()
    await expect(connecting).rejects.toMatchObject({
      code: 'wallet.no_account',
      details: 'The wallet shared no account.',
    })
    expect(kit.getState().sessions['toy.relay']?.end).toBe('site')
    expect(kit.getState().namespace).toBe('eip155')
  })

  test('error: an installed wallet that the adapter cannot attach is not connected', async () => {
    const { kit, wallets } = site()
    const cause = new TypeError('chunk')
    kit.adapters.get('eip155')!.attach = () => Promise.reject(cause)
    await expect(connect(kit, { connectorId: wallets.ids[0] })).rejects.toMatchObject({
      code: 'wallet.connect_failed',
      cause,
    })
    expect(isConnectedBy(kit.getState(), wallets.ids[0])).toBe(false)
  })

  test('attaches its session as a new, active connection', async () => {
    const { kit, wallets } = site()
    const adapter = kit.adapters.get('eip155')!
    const attach = adapter.attach.bind(adapter)
    const attached: object[] = []
    adapter.attach = (parameters) => {
      attached.push(parameters)
      return attach(parameters)
    }
    await connect(kit, { connectorId: wallets.ids[0] })
    expect(attached).toMatchObject([{ active: true, restored: false }])
  })

  test('error: a session that the adapter cannot attach is ended', async () => {
    const { kit, phone } = site()
    kit.adapters.get('eip155')!.attach = () => Promise.reject(new TypeError('chunk'))
    const connecting = connect(kit, { connectorId: 'toy.relay' })
    phone.approve()
    await expect(connecting).rejects.toMatchObject({ code: 'wallet.connect_failed' })
    expect(kit.getState().sessions['toy.relay']?.end).toBe('site')
  })

  test('is not started with manualWCControl, nor while the connector’s session is connected', async () => {
    const manual = site({ manualWCControl: true })
    void manual.kit.open({ view: 'Connect' })
    selectWallet(manual.kit, orrery)
    expect(manual.history().at(-1)).toBe('ConnectingWalletConnect')
    expect(manual.phone.requests).toEqual([])
    const alone = site({ manualWCControl: true, connectors: [] })
    void alone.kit.open({ view: 'Connect' })
    selectWallet(alone.kit, orrery)
    expect(alone.history().at(-1)).toBe('ConnectingWalletConnect')

    const { kit, phone } = site()
    const connecting = connect(kit, { connectorId: 'toy.relay' })
    phone.approve()
    await connecting
    requestUri(kit, { renew: true })
    expect(phone.requests).toHaveLength(1)
  })

  test('loads the adapters’ code with the first URI; a failed load is ignored', async () => {
    const { kit, phone } = site()
    const loads: unknown[] = []
    kit.adapters.get('eip155')!.preload = async (parameters) => {
      loads.push(parameters)
      throw new TypeError('chunk')
    }
    requestUri(kit)
    expect(loads).toHaveLength(1)
    phone.requests[0]!.onProgress!({ type: 'uri', uri: 'toy:2' })
    await vi.advanceTimersByTimeAsync(1)
    expect(loads).toEqual([{ connectorId: 'toy.relay' }])
    expect(kit.getState().attempt?.status).toBe('waiting')
    expect(Object.keys(kit.getState().chains)).toEqual(['eip155'])
  })

  test('of a connector with its own view is in the state immediately, and does not change', async () => {
    const { kit } = site()
    requestUri(kit)
    const { attempt } = kit.getState()
    expect(attempt).toMatchObject({ connectorId: 'toy.relay', progress: { uri: 'toy:1' } })
    await nextTask()
    expect(kit.getState().attempt).toBe(attempt)
  })

  test('of a connector without its own view is requested before the state changes', async () => {
    const { kit, phone } = site({}, { view: undefined })
    void kit.open({ uri: 'wc:site' })
    const before = kit.getState()
    connect(kit, { connectorId: 'toy.relay' }).catch(() => {})
    expect(phone.requests).toHaveLength(1)
    expect(kit.getState()).toBe(before)
    await nextTask()
    expect(kit.getState().attempt).toMatchObject({
      connectorId: 'toy.relay',
      status: 'waiting',
      progress: { uri: 'toy:1' },
    })
  })

  test('does not end a later attempt when its session is attached late', async () => {
    const { kit, phone, history } = site()
    let attach = () => {}
    kit.adapters.get('eip155')!.attach = () => new Promise<void>((resolve) => (attach = resolve))
    void kit.open()
    selectWallet(kit, orrery)
    phone.approve()
    await vi.advanceTimersByTimeAsync(1)
    phone.requests[0]!.onProgress!({ type: 'uri', uri: 'toy:1', expired: true })
    requestUri(kit)
    attach()
    await vi.advanceTimersByTimeAsync(1)
    expect(kit.getState().attempt).toMatchObject({ status: 'waiting' })
    expect(history()).toEqual(['Connect', 'ConnectingWalletConnect'])
  })

  test.each([
    ['that succeeds late does not end', 'waiting'],
    ['that is not shown yet does not replace', undefined],
  ])('%s a later attempt', async (_, status) => {
    const { kit, wallets } = site()
    const adapter = kit.adapters.get('eip155')!
    const attach = adapter.attach.bind(adapter)
    let release: (() => void) | undefined
    adapter.attach = async (parameters) => {
      await new Promise<void>((resolve) => (release = resolve))
      await attach(parameters)
    }
    const connecting = connect(kit, { connectorId: wallets.ids[0] })
    await expect.poll(() => release).toBeDefined()
    await expect.poll(() => kit.getState().attempt?.status).toBe(status)
    requestUri(kit)
    release!()
    await connecting
    expect(kit.getState().attempt).toMatchObject({ connectorId: 'toy.relay', status: 'waiting' })
  })

  test('no longer listens to the state once it has ended', async () => {
    const { kit, phone, settled } = site()
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
    requestUri(kit)
    expect(listeners).toBe(1)
    phone.reject()
    await settled()
    expect(listeners).toBe(0)
  })

  test('from the list of connected wallets returns there', async () => {
    const { kit, wallets, phone, history } = site()
    await connect(kit, { connectorId: wallets.ids[0] })
    void kit.open({ view: 'ProfileWallets' })
    push(kit, { name: 'Connect' })
    selectWallet(kit, orrery)
    phone.approve()
    await expect.poll(() => history()).toEqual(['ProfileWallets'])
    expect(kit.getState().toast).toMatchObject({ message: 'Toy Phone connected' })
  })

  test('can be started while an earlier session is being restored', async () => {
    const storage = memoryStorage()
    const first = site({ storage })
    const connecting = connect(first.kit, { connectorId: 'toy.relay', namespace: 'eip155' })
    first.phone.approve()
    await connecting
    const { kit, phone } = site({ storage })
    expect(isConnectedBy(kit.getState(), 'toy.relay')).toBe(true)
    connect(kit, { connectorId: 'toy.relay', namespace: 'eip155' }).catch(() => {})
    expect(phone.requests).toHaveLength(1)
  })

  test('§5.6.7 error: a family that the session serves already is not requested again', async () => {
    const { kit, phone } = site()
    const connecting = connect(kit, { connectorId: 'toy.relay', namespace: 'eip155' })
    phone.approve()
    await connecting
    await expect(
      connect(kit, { connectorId: 'toy.relay', namespace: 'eip155' }),
    ).rejects.toMatchObject({
      code: 'wallet.already_connected',
      shortMessage: 'Toy Relay is already connected',
    })
    expect(phone.requests).toHaveLength(1)
    connect(kit, { connectorId: 'toy.relay' }).catch(() => {})
    expect(phone.requests).toHaveLength(2)
  })
})

describe('the requested network', () => {
  test.each([
    ['the active one of the requested family', {}, 'eip155', 'eip155:1'],
    ['none if any family may be granted', {}, undefined, undefined],
    ['none if the site disables switching', { enableNetworkSwitch: false }, 'eip155', undefined],
  ] as const)('is %s', (_, options, namespace, caipNetworkId) => {
    const { kit, phone } = site(options)
    connect(kit, { connectorId: 'toy.relay', namespace }).catch(() => {})
    expect(phone.requests[0]).toMatchObject({ namespace })
    expect(phone.requests[0]?.network?.caipNetworkId).toBe(caipNetworkId)
  })
})

describe('clicking an installed wallet', () => {
  test('shows the attempt until the wallet approves', async () => {
    const { kit, wallets, installed, history, events } = site()
    wallets.faults.hang = true
    void kit.open()
    const connecting = connectWallet(kit, { connector: installed(), wallet: orrery })
    await expect.poll(() => history()).toEqual(['Connect', 'ConnectingExternal'])
    expect(kit.getState().view.history[1]?.data).toEqual({
      connectorId: wallets.ids[0],
      namespace: 'eip155',
      wallet: orrery,
    })
    expect(kit.getState().chains.eip155).toMatchObject({
      status: 'connecting',
      pendingConnectorId: wallets.ids[0],
    })
    expect(events).toContain(
      'SELECT_WALLET {"name":"Halyard","platform":"browser","view":"Connect"}',
    )
    wallets.release()
    await connecting
    expect(kit.getState().view.open).toBe(false)
    expect(kit.getState().chains.eip155?.pendingConnectorId).toBeUndefined()
    expect(kit.persisted.read().recent).toEqual([])
  })

  test('error: after a rejection, another attempt stays in the view', async () => {
    const { kit, wallets, installed, history } = site()
    wallets.faults.reject = true
    void kit.open()
    await connectWallet(kit, { connector: installed(), wallet: orrery })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(kit.getState().attempt).toMatchObject({ status: 'rejected', isRetry: false })
    await connectWallet(kit, { connector: installed() })
    expect(history()).toEqual(['Connect', 'ConnectingExternal'])
    wallets.faults.reject = false
    await connectWallet(kit, { connector: installed() })
    expect(kit.getState().view.open).toBe(false)
  })

  test('shows no view if the wallet trusts the site', async () => {
    const { kit, installed, shown } = site()
    void kit.open()
    const names = shown()
    await connectWallet(kit, { connector: installed() })
    expect([...names]).toEqual(['Connect'])
    expect(kit.getState().view.open).toBe(false)
  })

  test('if the wallet trusts the site but is on an unsupported chain, shows the view for that', async () => {
    const { kit, wallets, installed, history } = site()
    kit.adapters.get('eip155')!.attach = async () =>
      wallets.emit({
        type: 'connected',
        active: true,
        connection: {
          connectorId: wallets.ids[0],
          accounts: [{ namespace: 'eip155', address: wallets.address(0), type: 'eoa' }],
          caipNetworkId: 'eip155:999',
        },
      })
    void kit.open()
    await connectWallet(kit, { connector: installed() })
    expect(history()).toEqual(['UnsupportedChain'])
    expect(kit.getState().view.open).toBe(true)
  })

  test('keeps the view on screen if it already shows the attempt', async () => {
    const { kit, wallets, installed, history } = site()
    wallets.faults.hang = true
    void kit.open({ view: 'ConnectingWalletConnect', data: { wallet: orrery } })
    const connecting = connectWallet(kit, { connector: installed(), wallet: orrery, inPlace: true })
    await expect.poll(() => kit.getState().attempt?.status).toBe('waiting')
    expect(history()).toEqual(['ConnectingWalletConnect'])
    wallets.release()
    await connecting
    expect(kit.getState().view.open).toBe(false)
    expect(kit.persisted.read().recent).toEqual([])
  })

  test('a wallet’s request that opens over the view stays open, and going back from it closes the modal', async () => {
    const { kit, wallets, installed, history } = site()
    wallets.faults.hang = true
    void kit.open()
    const connecting = connectWallet(kit, { connector: installed() })
    await expect.poll(() => history()).toEqual(['Connect', 'ConnectingExternal'])
    push(kit, { name: 'ApproveTransaction' })
    wallets.release()
    await connecting
    expect(history()).toEqual(['ApproveTransaction'])
    goBack(kit)
    expect(kit.getState().view.open).toBe(false)
  })

  test('shows the view without a request if the wallet is already connected', async () => {
    const { kit, wallets, installed, history } = site()
    await connect(kit, { connectorId: wallets.ids[0] })
    void kit.open({ view: 'ProfileWallets' })
    await connectWallet(kit, { connector: installed() })
    expect(history()).toEqual(['ProfileWallets', 'ConnectingExternal'])
    expect(wallets.requested).toHaveLength(1)
  })

  test('going back aborts the attempt, and the approval is ignored', async () => {
    const { kit, wallets, installed, history } = site()
    wallets.faults.hang = true
    void kit.open()
    const connecting = connectWallet(kit, { connector: installed() })
    await expect.poll(() => history()).toEqual(['Connect', 'ConnectingExternal'])
    goBack(kit)
    wallets.release()
    await connecting
    expect(kit.getState()).toMatchObject({ attempt: undefined, view: { open: true } })
    expect(isConnectedBy(kit.getState(), wallets.ids[0])).toBe(false)
  })

  test('an earlier attempt that fails late does not end this one', async () => {
    const { kit, wallets, installed, history } = site()
    wallets.faults.hang = true
    void kit.open()
    const first = connectWallet(kit, { connector: installed() })
    await expect.poll(() => history()).toEqual(['Connect', 'ConnectingExternal'])
    goBack(kit)
    selectWallet(kit, orrery)
    wallets.release()
    await first
    expect(kit.getState().attempt).toMatchObject({ connectorId: 'toy.relay', status: 'waiting' })
  })

  test('a click on another wallet replaces the attempt', async () => {
    const { kit, wallets, installed } = site()
    wallets.faults.hang = true
    void kit.open()
    void connectWallet(kit, { connector: installed(0) })
    await expect.poll(() => kit.getState().attempt?.connectorId).toBe(wallets.ids[0])
    const second = connectWallet(kit, { connector: installed(1) })
    await expect.poll(() => kit.getState().attempt?.connectorId).toBe(wallets.ids[1])
    await expect
      .poll(() => kit.getState().view.history.at(-1))
      .toMatchObject({
        name: 'ConnectingExternal',
        data: { connectorId: wallets.ids[1] },
      })
    wallets.release()
    await second
    expect(kit.getState().chains.eip155).toMatchObject({ connectorId: wallets.ids[1] })
  })

  test('success does not close a view that the visitor opened in the meantime', async () => {
    const { kit, wallets, installed, history } = site()
    wallets.faults.hang = true
    void kit.open()
    const connecting = connectWallet(kit, { connector: installed() })
    await expect.poll(() => history()).toEqual(['Connect', 'ConnectingExternal'])
    push(kit, { name: 'WhatIsAWallet' })
    wallets.release()
    await connecting
    expect(history().at(-1)).toBe('WhatIsAWallet')
    expect(kit.getState().view.open).toBe(true)
    expect(isConnectedBy(kit.getState(), wallets.ids[0])).toBe(true)
  })

  test('success keeps the history of a view that the site opened in the meantime', async () => {
    const { kit, wallets, installed, history } = site()
    wallets.faults.hang = true
    void kit.open()
    const connecting = connectWallet(kit, { connector: installed() })
    await expect.poll(() => history()).toEqual(['Connect', 'ConnectingExternal'])
    void kit.open({ view: 'Networks' })
    push(kit, { name: 'WhatIsANetwork' })
    wallets.release()
    await connecting
    expect(isConnectedBy(kit.getState(), wallets.ids[0])).toBe(true)
    expect(history()).toEqual(['Networks', 'WhatIsANetwork'])
  })

  test('success shows nothing if the site has closed the modal', async () => {
    const { kit, wallets, installed } = site()
    await connect(kit, { connectorId: wallets.ids[0] })
    void kit.open({ view: 'ProfileWallets' })
    push(kit, { name: 'Connect' })
    kit.subscribe(() => isConnectedBy(kit.getState(), wallets.ids[1]) && kit.close())
    await connectWallet(kit, { connector: installed(1) })
    expect(isConnectedBy(kit.getState(), wallets.ids[1])).toBe(true)
    expect(kit.getState()).toMatchObject({ toast: undefined, view: { open: false } })
  })

  test('from the list of connected wallets, success returns there', async () => {
    const { kit, wallets, installed, history } = site()
    await connect(kit, { connectorId: wallets.ids[0] })
    void kit.open({ view: 'ProfileWallets' })
    push(kit, { name: 'Connect' })
    await connectWallet(kit, { connector: installed(1) })
    expect(history()).toEqual(['ProfileWallets'])
    expect(kit.getState().toast).toMatchObject({ message: 'Nacre connected' })
  })

  test('in embedded mode, success shows Account', async () => {
    const { kit, installed, history } = site({ enableEmbedded: true })
    await connectWallet(kit, { connector: installed() })
    expect(history()).toEqual(['Account'])
  })
})

describe('clicking a connector that has its own view', () => {
  const sdk = { universal: false, view: 'WhatIsAWallet', type: 'MULTI_CHAIN' } as const

  test('shows that view with the attempt immediately', async () => {
    const { kit, phone, phoneConnector, history } = site({}, sdk)
    void kit.open()
    void connectWallet(kit, { connector: phoneConnector() })
    expect(kit.getState().attempt).toMatchObject({ status: 'waiting', namespace: 'eip155' })
    await expect.poll(() => history()).toEqual(['Connect', 'WhatIsAWallet'])
    phone.approve()
    await expect.poll(() => kit.getState().view.open).toBe(false)
  })

  test('keeps that view if it is already on screen', async () => {
    const { kit, phone, phoneConnector, history } = site({}, sdk)
    void kit.open()
    push(kit, { name: 'WhatIsAWallet' })
    const connecting = connectWallet(kit, { connector: phoneConnector() })
    await nextTask()
    expect(history()).toEqual(['Connect', 'WhatIsAWallet'])
    phone.approve()
    await connecting
    expect(kit.getState().view.open).toBe(false)
  })

  test('requests the chain family that the view lists', async () => {
    const { kit, phone, phoneConnector } = site({}, sdk)
    const chains = ['eip155', 'solana'] as const
    void kit.open()
    push(kit, { name: 'AllWallets' }, 'solana')
    void connectWallet(kit, { connector: { ...phoneConnector(), chains } })
    expect(phone.requests[0]?.namespace).toBe('solana')
  })

  test('requests the connector’s first family if the connector does not serve the listed family', async () => {
    const { kit, phone, phoneConnector } = site({}, sdk)
    void kit.open()
    push(kit, { name: 'AllWallets' }, 'solana')
    void connectWallet(kit, { connector: phoneConnector() })
    expect(phone.requests[0]?.namespace).toBe('eip155')
  })
})

describe('selecting a directory wallet', () => {
  test('connects it if it is installed', async () => {
    const { kit, wallets } = site()
    void kit.open()
    selectWallet(kit, { id: 'x', name: 'Halyard', rdns: wallets.ids[0] })
    expect(wallets.requested).toEqual([wallets.ids[0]])
  })

  test('shows where to get it if no connector can reach it', () => {
    const { kit, history } = site({ connectors: [] })
    void kit.open()
    selectWallet(kit, orrery)
    expect(history()).toEqual(['Connect', 'Downloads'])
    expect(kit.getState().view.history[1]?.data).toEqual({ wallet: orrery })
  })

  test('shows a QR code for it in the connector’s view', () => {
    const { kit, history } = site({}, { view: 'ConnectingWalletConnectBasic' })
    void kit.open()
    selectWallet(kit, orrery)
    expect(history()).toEqual(['Connect', 'ConnectingWalletConnectBasic'])
    expect(kit.getState().view.history[1]?.data).toEqual({ wallet: orrery })
  })

  test('a click on the universal connector shows a QR code for any wallet', () => {
    const { kit, phone, phoneConnector, history } = site()
    void kit.open()
    void connectWallet(kit, { connector: phoneConnector() })
    expect(history()).toEqual(['Connect', 'ConnectingWalletConnect'])
    expect(phone.requests).toHaveLength(1)
  })
})
