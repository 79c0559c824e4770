import { describe, expect, test } from 'vitest'

import { entryToSwitch } from '../networks/entryToSwitch.ts'
import type { Network } from '../networks/Network.ts'
import { toNetwork } from '../networks/Network.ts'
import {
  afterDisconnect,
  afterNetworkChange,
  currentView,
  entryToOpen,
  initialViewState,
  viewReducer,
} from './view.ts'
import { canClose } from './safeClose.ts'
import type { ViewEntry, ViewEvent, ViewState } from './view.ts'

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

  test('pushing the current view changes nothing', () => {
    const there = run(open, push({ name: 'AllWallets' }))
    expect(run(there, push({ name: 'AllWallets' }))).toBe(there)
  })

  test('replace changes the last entry, and reset clears the history', () => {
    const there = run(open, push({ name: 'AllWallets' }), {
      type: 'view.replaced',
      entry: { name: 'WhatIsAWallet' },
    })
    expect(names(there)).toEqual(['Connect', 'WhatIsAWallet'])
    expect(names(run(there, { type: 'view.reset', entry: { name: 'Account' } }))).toEqual([
      'Account',
    ])
  })

  test('going back to Connect while connected shows Account', () => {
    const there = run(open, push({ name: 'AllWallets' }))
    expect(names(runConnected(there, { type: 'view.back' }))).toEqual(['Account'])
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
  test.each([
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
    ['§2.6.3 shows a requested view', { requested: { name: 'Networks' } as const }, 'Networks'],
    [
      '§2.6.3 shows a requested view while connected',
      { requested: { name: 'Networks' } as const, connected: true },
      'Networks',
    ],
    [
      'shows Connect instead of an account view if no wallet is connected',
      { requested: { name: 'WalletSend' } as const },
      'Connect',
    ],
    ['§2.6.4 shows Account while connected', { connected: true }, 'Account'],
    ['§2.6.4 shows Connect while not connected', {}, 'Connect'],
  ])('%s', (_, change, name) => expect(entryToOpen({ ...base, ...change }).name).toBe(name))
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
      '§2.8.3 shows SwitchNetwork for another chain family if no wallet is connected',
      { network: solana, connected: false, connectedThere: false },
      'SwitchNetwork',
      false,
    ],
  ])('%s', (_, change, name, replace) => {
    const step = entryToSwitch({ ...base, ...change })
    expect(step).toMatchObject({ entry: { name }, replace })
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
  ])('%s', (_, state, allowed) => expect(canClose(state)).toBe(allowed))
})

describe('afterNetworkChange', () => {
  const base = { connected: true, previous: one, next: ten, previousUnsupported: false }
  const at = (name: 'Networks' | 'ConnectingExternal' | 'ProfileWallets' | 'UnsupportedChain') =>
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
    ['stays after a change to another chain family', at('Networks'), { next: solana }, 'stay'],
    [
      'stays in another view after a change from an unknown chain',
      at('Networks'),
      { previousUnsupported: true },
      'stay',
    ],
    ['stays while connecting', at('ConnectingExternal'), {}, 'stay'],
    ['stays in the wallet list', at('ProfileWallets'), {}, 'stay'],
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
    [
      'stays in a view that is waiting for the disconnect',
      { ...open, history: [{ name: 'Connect' }, { name: 'ConnectingWalletConnect' }] },
      'stay',
    ],
    ['stays in embedded mode', { ...open, embedded: true }, 'stay'],
  ] as const)('%s', (_, state, result) => {
    expect(afterDisconnect(state as ViewState)).toBe(result)
  })
})
