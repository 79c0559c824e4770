import { describe, expect, test, vi } from 'vitest'

import { entryToSwitch } from '../networks/entryToSwitch.ts'
import type { Network } from '../networks/Network.ts'
import { toNetwork } from '../networks/Network.ts'
import {
  afterDisconnect,
  afterNetworkChange,
  currentView,
  entryToOpen,
  initialViewState,
  isOnScreen,
  viewReducer,
} from './view.ts'
import { canClose } from './safeClose.ts'
import type { ViewEntry, ViewEvent, ViewName, ViewState } from './view.ts'

const network = (id: number | string, chainNamespace: Network['chainNamespace'] = 'eip155') =>
  toNetwork({
    id,
    name: String(id),
    chainNamespace,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: ['http://localhost:1'] } },
  })
const one = network(1)
const ten = network(10)
const solana = network('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana')

const open: ViewState = { ...initialViewState(), open: true }
const run = (state: ViewState, ...events: ViewEvent[]) =>
  events.reduce((now, event) => viewReducer(now, event, { connected: false }), state)
const runConnected = (state: ViewState, event: ViewEvent, connected = true) =>
  viewReducer(state, event, { connected })
const names = (state: ViewState) => state.history.map(({ name }) => name)
const push = (entry: ViewEntry): ViewEvent => ({ type: 'view.pushed', entry })

describe('history', () => {
  test('§2.5/1 §2.12.1 back pops the history and reverses the direction', () => {
    const there = run(open, push({ name: 'AllWallets' }))
    expect(names(there)).toEqual(['Connect', 'AllWallets'])
    expect(there.direction).toBe('next')
    const back = run(there, { type: 'view.back' })
    expect(names(back)).toEqual(['Connect'])
    expect(back.direction).toBe('prev')
  })

  test('a choice for an earlier view goes back to it, with the choice as its data', () => {
    const entry: ViewEntry = { name: 'WalletReceive', data: { network: ten } }
    const returned = (...names: ViewName[]) =>
      run(open, ...names.map((name) => push({ name } as ViewEntry)), {
        type: 'view.returned',
        entry,
      })
    const back = returned('WalletReceive', 'WalletCompatibleNetworks')
    expect(back.history).toEqual([{ name: 'Connect' }, entry])
    expect(back.direction).toBe('prev')
    expect(names(returned('WalletReceive', 'WalletCompatibleNetworks', 'Networks'))).toEqual([
      'Connect',
      'WalletReceive',
    ])
    expect(returned('WalletCompatibleNetworks').history).toEqual([{ name: 'Connect' }, entry])
  })

  test('starts at Connect, closed', () => {
    expect(initialViewState()).toEqual({
      open: false,
      shake: false,
      embedded: false,
      namespace: undefined,
      history: [{ name: 'Connect' }],
      direction: 'next',
    })
  })

  test.each<[string, ViewEvent]>([
    ['pushing the current view', push({ name: 'AllWallets' })],
    ['ending a shake that has ended', { type: 'view.shake', on: false }],
  ])('%s changes nothing', (_, event) => {
    const there = run(open, push({ name: 'AllWallets' }))
    expect(run(there, event)).toBe(there)
  })

  test('going back from the first view changes nothing', () => {
    expect(run(open, { type: 'view.back' })).toBe(open)
  })

  test('opening the view that is already shown keeps its entry', () => {
    const [entry] = open.history
    const opened = (next: ViewEntry) => run(open, { type: 'view.opened', entry: next }).history[0]
    expect(opened({ name: 'Connect' })).toBe(entry)
    expect(opened({ name: 'AllWallets' })).toEqual({ name: 'AllWallets' })
  })

  test('a view with other data is another view', () => {
    const there = run(
      open,
      push({ name: 'SwitchNetwork', data: { network: one } }),
      push({ name: 'SwitchNetwork', data: { network: ten } }),
    )
    expect(names(there)).toEqual(['Connect', 'SwitchNetwork', 'SwitchNetwork'])
  })

  test.each<['next' | 'prev', string, ViewEvent]>([
    ['next', 'opening', { type: 'view.opened', entry: { name: 'Networks' } }],
    ['next', 'pushing', push({ name: 'Networks' })],
    ['next', 'replacing', { type: 'view.replaced', entry: { name: 'Networks' } }],
    ['next', 'a reset to a new view', { type: 'view.reset', entry: { name: 'Networks' } }],
    ['prev', 'a reset to an earlier view', { type: 'view.reset', entry: { name: 'Account' } }],
    ['prev', 'going back', { type: 'view.back' }],
    ['prev', 'closing', { type: 'view.closed' }],
  ])('§2.12.1 the direction is “%s” after %s', (direction, _, event) => {
    const before = direction === 'next' ? 'prev' : 'next'
    const history: ViewEntry[] = [{ name: 'Account' }, { name: 'AllWallets' }]
    expect(run({ ...open, history, direction: before }, event).direction).toBe(direction)
  })

  test.each(['view.pushed', 'view.reset'] as const)(
    '%s keeps the chain family unless it names another',
    (type) => {
      const entry: ViewEntry = { name: 'AllWallets' }
      const narrowed = run(open, { type, entry, namespace: 'solana' })
      expect(narrowed.namespace).toBe('solana')
      expect(run(narrowed, { type, entry: { name: 'Networks' } }).namespace).toBe('solana')
    },
  )

  test('closing ends a shake', () => {
    const closed = run(open, { type: 'view.shake', on: true }, { type: 'view.closed' })
    expect(closed.shake).toBe(false)
  })

  test('replace changes the last entry, and reset clears the history', () => {
    const there = run(open, push({ name: 'AllWallets' }), push({ name: 'Networks' }), {
      type: 'view.replaced',
      entry: { name: 'WhatIsAWallet' },
    })
    expect(names(there)).toEqual(['Connect', 'AllWallets', 'WhatIsAWallet'])
    expect(names(run(there, { type: 'view.reset', entry: { name: 'Account' } }))).toEqual([
      'Account',
    ])
  })

  test('going back to Connect while connected shows Account', () => {
    const there = run(open, push({ name: 'AllWallets' }))
    expect(names(runConnected(there, { type: 'view.back' }))).toEqual(['Account'])
    const further = run(there, push({ name: 'WhatIsAWallet' }))
    expect(names(runConnected(further, { type: 'view.back' }))).toEqual(['Connect', 'AllWallets'])
  })

  test('§2.7.1 closing resets the history to Connect', () => {
    const there = run(open, push({ name: 'AllWallets' }))
    const closed = runConnected(there, { type: 'view.closed' })
    expect(closed).toMatchObject({ open: false, namespace: undefined })
    expect(names(closed)).toEqual(['Connect'])
  })

  test.each([
    [true, 'Account'],
    [false, 'Connect'],
  ])('§2.7.2 in embedded mode, closing with connected=%s shows %s', (connected, name) => {
    const embedded = { ...initialViewState(true), open: true }
    expect(currentView(runConnected(embedded, { type: 'view.closed' }, connected)).name).toBe(name)
  })
})

describe('entryToOpen', () => {
  const base = { connected: false, hasAdapters: true, manualWalletConnect: false, mobile: false }
  test.each<[string, Partial<Parameters<typeof entryToOpen>[0]>, ViewName]>([
    [
      '§2.6.2 shows a QR code with manual control on a desktop',
      { manualWalletConnect: true },
      'ConnectingWalletConnectBasic',
    ],
    [
      '§2.6.2 shows all wallets with manual control on a phone',
      { manualWalletConnect: true, mobile: true },
      'AllWallets',
    ],
    [
      '§2.6.2 shows a QR code without adapters on a desktop',
      { hasAdapters: false },
      'ConnectingWalletConnectBasic',
    ],
    [
      '§2.6.2 shows all wallets without adapters on a phone',
      { hasAdapters: false, mobile: true },
      'AllWallets',
    ],
    ['§2.6.3 shows a requested view', { requested: { name: 'Networks' } }, 'Networks'],
    [
      '§2.6.3 shows a requested view while connected',
      { requested: { name: 'Networks' }, connected: true },
      'Networks',
    ],
    [
      'shows Connect instead of Account if no wallet is connected',
      { requested: { name: 'Account' } },
      'Connect',
    ],
    [
      'shows Connect instead of the form to send if no wallet is connected',
      { requested: { name: 'WalletSend' } },
      'Connect',
    ],
    ['§2.6.4 shows Account while connected', { connected: true }, 'Account'],
    ['§2.6.4 shows Connect while not connected', {}, 'Connect'],
  ])('%s', (_, change, name) => expect(entryToOpen({ ...base, ...change }).name).toBe(name))

  test('shows a connector’s view without a connection if its rules allow that', async () => {
    // The rules of other tests' connectors are in the module.
    vi.resetModules()
    const { entryToOpen } = await import('./view.ts')
    const { addViewRules } = await import('./rules.ts')
    const requested: ViewEntry = { name: 'EmailVerifyOtp', data: { email: 'mira@book.example' } }
    expect(entryToOpen({ ...base, requested }).name).toBe('Connect')
    addViewRules({ EmailVerifyOtp: { onNetworkChange: 'stay' } })
    expect(entryToOpen({ ...base, requested })).toBe(requested)
  })
})

describe('entryToSwitch', () => {
  const base = {
    network: ten,
    current: one,
    connected: true,
    connectedThere: true,
    authActive: false,
    ignoreConfirmation: false,
  }
  test('returns undefined for the active network', () => {
    expect(entryToSwitch({ ...base, network: one })).toBeUndefined()
  })
  test.each([
    [
      '§2.8.1/1 shows SwitchNetwork for the auth connector',
      { authActive: true },
      'SwitchNetwork',
      false,
    ],
    [
      '§2.8.1/2 shows SwitchNetwork if the confirmation is skipped',
      { network: solana, connectedThere: false, ignoreConfirmation: true },
      'SwitchNetwork',
      false,
    ],
    [
      '§2.8.2 shows SwitchActiveChain for a chain family without an account',
      { network: solana, connectedThere: false },
      'SwitchActiveChain',
      true,
    ],
    [
      '§2.8.3 shows SwitchNetwork for another chain family with an account',
      { network: solana },
      'SwitchNetwork',
      false,
    ],
    ['§2.8.3 shows SwitchNetwork for the same chain family', {}, 'SwitchNetwork', false],
    [
      'shows SwitchNetwork for the same chain family without an account',
      { connectedThere: false },
      'SwitchNetwork',
      false,
    ],
    [
      '§2.8.3 shows SwitchNetwork for another chain family if no wallet is connected',
      { network: solana, connected: false, connectedThere: false },
      'SwitchNetwork',
      false,
    ],
  ])('%s', (_, change, name, replace) => {
    const parameters = { ...base, ...change }
    const step = entryToSwitch(parameters)
    const { network } = parameters
    expect(step).toMatchObject({ entry: { name, data: { network } }, replace })
  })
  test('§2.8.2 SwitchActiveChain redirects to Connect', () => {
    expect(entryToSwitch({ ...base, network: solana, connectedThere: false })?.entry.data).toEqual({
      network: solana,
      redirectTo: 'Connect',
    })
  })
})

describe('canClose', () => {
  const at = (...history: ViewEntry[]): ViewState => ({ ...open, history })
  const swap: ViewEntry = { name: 'SwitchNetwork', data: { network: ten } }
  test.each([
    ['allows closing Connect', at({ name: 'Connect' }), true],
    ['does not allow closing UnsupportedChain', at({ name: 'UnsupportedChain' }), false],
    [
      'does not allow closing SwitchNetwork after UnsupportedChain',
      at({ name: 'UnsupportedChain' }, swap),
      false,
    ],
    ['allows closing SwitchNetwork after Networks', at({ name: 'Networks' }, swap), true],
    ['allows closing SwitchNetwork as the first view', at(swap), true],
    [
      'allows closing another view after UnsupportedChain',
      at({ name: 'UnsupportedChain' }, { name: 'WhatIsANetwork' }),
      true,
    ],
  ])('%s', (_, state, allowed) => expect(canClose(state)).toBe(allowed))
})

describe('afterNetworkChange', () => {
  const base = { connected: true, previous: one, next: ten, previousUnsupported: false }
  const at = (name: ViewName) =>
    ({ ...open, history: [{ name: 'Account' }, { name } as ViewEntry] }) as ViewState
  test.each([
    ['goes back after a change within the chain family', at('Networks'), {}, 'back'],
    ['goes back if no wallet is connected', at('Networks'), { connected: false }, 'back'],
    ['stays in Connect if no wallet is connected', open, { connected: false }, 'stay'],
    [
      'goes back from UnsupportedChain',
      at('UnsupportedChain'),
      { previousUnsupported: true },
      'back',
    ],
    [
      'stays in UnsupportedChain if the new chain is unknown too',
      at('UnsupportedChain'),
      { next: undefined, previousUnsupported: true },
      'stay',
    ],
    ['goes back from the form to send', at('WalletSend'), {}, 'back'],
    ['stays after a change to another chain family', at('Networks'), { next: solana }, 'stay'],
    [
      'stays in another view after a change from an unknown chain',
      at('Networks'),
      { previousUnsupported: true },
      'stay',
    ],
    ...(
      [
        'Account',
        'ConnectingExternal',
        'ConnectingWalletConnect',
        'ConnectingWalletConnectBasic',
        'ProfileWallets',
        'SwitchActiveChain',
        'WalletCompatibleNetworks',
        'WalletReceive',
      ] as const
    ).map((name) => [`stays in ${name}`, at(name), {}, 'stay'] as const),
    ['goes back from SwitchNetwork', at('SwitchNetwork'), { connected: false }, 'back'],
    [
      'goes back from SwitchNetwork once an unsupported chain is left',
      at('SwitchNetwork'),
      { next: one, previousUnsupported: true },
      'back',
    ],
    ['stays if there was no network before', at('Networks'), { previous: undefined }, 'stay'],
    ['stays if there is no network afterwards', at('Networks'), { next: undefined }, 'stay'],
    [
      'stays if there was no network before and there is none afterwards',
      at('Networks'),
      { previous: undefined, next: undefined },
      'stay',
    ],
    ['stays if the network is the same', at('Networks'), { next: one }, 'stay'],
    ['does nothing while the modal is closed', { ...at('Networks'), open: false }, {}, 'stay'],
  ] as const)('%s', (_, state, change, result) =>
    expect(afterNetworkChange(state, { ...base, ...change })).toBe(result),
  )
})

describe('afterDisconnect', () => {
  test.each([
    ['closes from Connect', open, 'close'],
    ['stays in the wallet list', { ...open, history: [{ name: 'ProfileWallets' }] }, 'stay'],
    ...(['ConnectingWalletConnect', 'ConnectingWalletConnectBasic'] as const).map(
      (name) =>
        [
          `stays in ${name}, which connects another wallet`,
          { ...open, history: [{ name: 'Connect' }, { name }] },
          'stay',
        ] as const,
    ),
    ['stays in embedded mode', { ...open, embedded: true }, 'stay'],
    ['stays while the modal is closed', { ...open, open: false }, 'stay'],
  ] as const)('%s', (_, state, result) => {
    expect(afterDisconnect(state as ViewState)).toBe(result)
  })
})

test.each([
  [{ open: true }, true],
  [{ embedded: true }, true],
  [{}, false],
])('with %j, the card is visible: %s', (state, visible) => {
  expect(isOnScreen({ ...initialViewState(), ...state })).toBe(visible)
})
