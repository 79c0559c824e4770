import { describe, expect, test } from 'vitest'
import { mainnet, optimism } from 'viem/chains'

import type { Attempt } from '../connection/attempt.ts'
import type { Connector } from '../connection/Connector.ts'
import type { PendingTransaction } from '../money/pending/PendingTransaction.ts'
import { toNetwork } from '../networks/Network.ts'
import { createAlert } from '../notifications/alerts.ts'
import type { ViewEntry } from '../view/view.ts'
import { defaultFeatures } from '../features/features.ts'
import { initialState, reducer } from './state.ts'
import type { State, StateEvent } from './state.ts'

const one = toNetwork(mainnet)
const ten = toNetwork(optimism)
const solana = toNetwork({
  ...mainnet,
  id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  chainNamespace: 'solana',
})
const base = {
  networks: [one, ten, solana],
  defaultNetwork: one,
  namespaces: ['eip155', 'solana'],
  features: defaultFeatures,
  theme: { mode: 'system', variables: {} },
  locale: 'en',
  embedded: false,
} as const
const blank = initialState(base)
const run = (state: State, ...events: StateEvent[]) => events.reduce(reducer, state)

describe('the initial state', () => {
  test('selects the first network of every family', () => {
    expect(blank).toMatchObject({
      namespace: 'eip155',
      chains: {
        eip155: { status: 'disconnected', networkId: 'eip155:1' },
        solana: { status: 'disconnected', networkId: solana.caipNetworkId },
      },
      connectors: [],
      alerts: [],
      recent: [],
      pending: [],
      preferences: { currency: 'USD', showsSmall: false },
      server: 'unused',
    })
    expect(initialState({ ...base, currency: 'EUR' }).preferences.currency).toBe('EUR')
  })

  test('a family without a network has none selected', () => {
    const state = initialState({ ...base, namespaces: ['eip155', 'bip122'] })
    expect(state.chains.bip122).toMatchObject({ status: 'disconnected', networkId: undefined })
  })

  test('selects the default network and its family', () => {
    expect(initialState({ ...base, defaultNetwork: ten }).chains.eip155?.networkId).toBe(
      'eip155:10',
    )
    expect(initialState({ ...base, defaultNetwork: solana })).toMatchObject({
      namespace: 'solana',
      chains: { eip155: { networkId: 'eip155:1' } },
    })
  })

  test('without a default network, activates the first family; without families, EVM', () => {
    const bare = { ...base, defaultNetwork: undefined }
    expect(initialState({ ...bare, namespaces: ['solana'] }).namespace).toBe('solana')
    expect(initialState({ ...bare, namespaces: [] }).namespace).toBe('eip155')
  })
})

test.each<[StateEvent, Partial<State>]>([
  [{ type: 'networks.changed', networks: [ten] }, { networks: [ten] }],
  [
    {
      type: 'features.resolved',
      features: { ...blank.features, multiWallet: false },
      server: 'ready',
    },
    { features: { ...blank.features, multiWallet: false }, server: 'ready' },
  ],
  [{ type: 'server.loading' }, { server: 'loading' }],
  [{ type: 'namespace.activated', namespace: 'solana' }, { namespace: 'solana' }],
  [
    {
      type: 'attempt.changed',
      attempt: { id: 1, connectorId: 'a', namespace: 'eip155', status: 'waiting' },
    },
    { attempt: { id: 1, connectorId: 'a', namespace: 'eip155', status: 'waiting' } },
  ],
  [
    { type: 'switching.changed', switching: { networkId: 'eip155:10', status: 'waiting' } },
    { switching: { networkId: 'eip155:10', status: 'waiting' } },
  ],
  [
    { type: 'theme.changed', theme: { mode: 'dark', variables: {} } },
    { theme: { mode: 'dark', variables: {} } },
  ],
  [{ type: 'locale.changed', locale: 'de' }, { locale: 'de' }],
  [
    { type: 'preferences.changed', preferences: { showsSmall: true } },
    { preferences: { currency: 'USD', showsSmall: true } },
  ],
  [
    { type: 'pending.changed', pending: [{ id: '0xone' } as PendingTransaction] },
    { pending: [{ id: '0xone' } as PendingTransaction] },
  ],
  [
    { type: 'recent.changed', recent: [{ id: 'a', name: 'A' }] },
    { recent: [{ id: 'a', name: 'A' }] },
  ],
  [
    {
      type: 'suggestions.changed',
      suggestions: { featured: [], excluded: [], recommended: [], count: 2 },
    },
    { suggestions: { featured: [], excluded: [], recommended: [], count: 2 } },
  ],
])('the event %j changes only its values', (event, change) => {
  expect(run(blank, event)).toEqual({ ...blank, ...change })
})

describe('connectors', () => {
  const connector = (id: string, chain: Connector['chain'], chains?: Connector['chains']) =>
    ({ id, name: id, type: 'ANNOUNCED', chain, chains }) as Connector
  const ids = (state: State) =>
    state.connectors.map(({ id, name }) => `${id}${name === id ? '' : '*'}`)
  const list = (state: State, namespace: Connector['chain'], ...connectors: Connector[]) =>
    run(state, { type: 'connectors.changed', namespace, connectors })
  const relay = connector('relay', 'eip155', ['eip155', 'solana'])
  const full = list(
    list(
      run(blank, { type: 'connectors.added', connectors: [relay] }),
      'solana',
      connector('s', 'solana'),
    ),
    'eip155',
    connector('a', 'eip155'),
  )

  test('an adapter replaces the connectors of its family only', () => {
    expect(ids(full)).toEqual(['relay', 's', 'a'])
    expect(ids(list(full, 'eip155', connector('b', 'eip155')))).toEqual(['relay', 's', 'b'])
    expect(ids(list(full, 'solana'))).toEqual(['relay', 'a'])
  })

  test('an adapter’s connector replaces the instance’s connector with the same id', () => {
    const own = { ...connector('relay', 'eip155'), name: 'own' }
    expect(ids(list(full, 'eip155', own))).toEqual(['s', 'relay*'])
  })

  test('the instance’s connectors are added once', () => {
    const extra = connector('extra', 'eip155', ['eip155'])
    const added = run(full, { type: 'connectors.added', connectors: [relay, extra] })
    expect(ids(added)).toEqual(['relay', 's', 'a', 'extra'])
  })
})

describe('toasts and alerts', () => {
  const toast = { id: 2, variant: 'info', message: 'text' } as const
  const shown = run(blank, { type: 'toast.shown', toast })

  test.each([
    ['without an id', undefined, false],
    ['by its id', 2, false],
    ['not by the id of an earlier toast', 1, true],
  ])('a toast is hidden %s', (_, id, visible) => {
    expect(Boolean(run(shown, { type: 'toast.hidden', id }).toast)).toBe(visible)
  })

  test('hiding a toast changes nothing else', () => {
    expect(run(shown, { type: 'toast.hidden', id: 2 })).toEqual(blank)
  })

  test('hiding a toast that is not shown changes nothing', () => {
    expect(run(blank, { type: 'toast.hidden' })).toBe(blank)
  })

  test('alerts are shown in order and hidden by code', () => {
    const alerts = [createAlert('INVALID_PROJECT_ID'), createAlert('UNVERIFIED_DOMAIN')]
    const both = run(blank, ...alerts.map((alert) => ({ type: 'alert.shown', alert }) as const))
    expect(both.alerts).toEqual(alerts)
    expect(run(both, { type: 'alert.hidden', code: 'INVALID_PROJECT_ID' }).alerts).toEqual([
      alerts[1],
    ])
  })
})

describe('the state of a view', () => {
  const attempt: Attempt = { id: 1, connectorId: 'a', namespace: 'eip155', status: 'waiting' }
  const busy = (entry: ViewEntry): State => ({
    ...blank,
    attempt,
    switching: { networkId: 'eip155:10', status: 'waiting' },
    toast: { id: 1, variant: 'info', message: 'text' },
    view: { ...blank.view, open: true, history: [{ name: 'Connect' }, entry] },
  })
  const left = ({ attempt, switching, toast }: State) =>
    Object.entries({ attempt, switching, toast }).flatMap(([name, value]) => (value ? [name] : []))
  const external: ViewEntry = {
    name: 'ConnectingExternal',
    data: { connectorId: 'a', namespace: 'eip155' },
  }

  test.each<[ViewEntry, string[]]>([
    [external, ['switching', 'toast']],
    [{ name: 'SwitchNetwork', data: { network: ten } }, ['attempt', 'toast']],
    [{ name: 'ConnectingWalletConnect' }, ['attempt', 'switching', 'toast']],
  ])('going back from $name keeps %j', (entry, kept) => {
    expect(left(run(busy(entry), { type: 'view.back' }))).toEqual(kept)
  })

  test('opening another view keeps everything; closing the modal keeps nothing', () => {
    const pushed = run(busy(external), { type: 'view.pushed', entry: { name: 'AllWallets' } })
    expect(left(pushed)).toEqual(['attempt', 'switching', 'toast'])
    const closed = run(busy(external), { type: 'view.closed' })
    expect(left(closed)).toEqual([])
    expect(closed).toEqual({ ...blank, view: closed.view })
  })

  test('an embedded modal shows the account once it is closed, if a wallet of any family is connected', () => {
    const embedded = initialState({ ...base, embedded: true })
    const closed = (state: State) => {
      const opened = run(state, { type: 'view.pushed', entry: { name: 'AllWallets' } })
      return run(opened, { type: 'view.closed' }).view.history.map(({ name }) => name)
    }
    expect(closed(embedded)).toEqual(['Connect'])
    const accounts = [{ namespace: 'eip155', address: '0xa', type: 'eoa' }] as const
    const connected = run(embedded, {
      type: 'connection.connected',
      namespace: 'eip155',
      active: true,
      connection: { connectorId: 'a', accounts },
    })
    expect(closed(connected)).toEqual(['Account'])
  })

  test('a view event without effect changes nothing', () => {
    expect(run(blank, { type: 'view.back' })).toBe(blank)
  })
})

describe('connections', () => {
  const connect = (namespace: 'eip155' | 'solana', connectorId: string): StateEvent => ({
    type: 'connection.connected',
    namespace,
    active: true,
    connection: { connectorId, accounts: [{ namespace, address: 'x', type: 'eoa' }] },
  })
  const session = {
    id: '1',
    connectorId: 'relay',
    peer: { name: 'P' },
    grants: {},
    method: 'qrcode',
  }
  const paired = run(
    blank,
    { type: 'session.changed', session: session as never },
    connect('eip155', 'relay'),
    connect('solana', 'relay'),
    connect('solana', 'other'),
  )

  test('a session is added by its connector, and replaced when it changes', () => {
    const other = { ...session, connectorId: 'other' } as never
    const changed = { ...session, id: '2' } as never
    const state = run(
      paired,
      { type: 'session.changed', session: other },
      { type: 'session.changed', session: changed },
    )
    expect(state).toEqual({ ...paired, sessions: { relay: changed, other } })
  })

  test('an ended session loses its connections on all families, and keeps the reason', () => {
    const ended = run(paired, { type: 'session.ended', connectorId: 'relay', reason: 'expired' })
    expect(ended.sessions.relay).toEqual({ ...session, end: 'expired' })
    expect(ended.chains.eip155).toMatchObject({ status: 'disconnected', connections: [] })
    expect(ended.chains.solana?.connections.map(({ connectorId }) => connectorId)).toEqual([
      'other',
    ])
  })

  test('the end of an unknown session changes no connection', () => {
    const ended = run(paired, { type: 'session.ended', connectorId: 'x', reason: 'user' })
    expect(ended.chains).toEqual(paired.chains)
    expect(ended.sessions).toBe(paired.sessions)
  })

  test('a family without an adapter gets a state with its first connection', () => {
    const bare = initialState({ ...base, namespaces: [] })
    expect(run(bare, connect('solana', 'relay')).chains).toMatchObject({
      solana: { status: 'connected', connectorId: 'relay' },
    })
  })

  test.each<StateEvent>([
    { type: 'namespace.activated', namespace: 'eip155' },
    { type: 'connection.disconnected', namespace: 'eip155', connectorId: 'x' },
    { type: 'connection.networkSelected', namespace: 'eip155', networkId: 'eip155:1' },
  ])('%j changes nothing', (event) => {
    expect(run(blank, event)).toBe(blank)
  })

  test('selecting the active network ends the unsupported state', () => {
    const lost = run(paired, {
      type: 'connection.chainChanged',
      namespace: 'eip155',
      connectorId: 'relay',
      caipNetworkId: 'eip155:999',
    })
    const selected = run(lost, {
      type: 'connection.networkSelected',
      namespace: 'eip155',
      networkId: 'eip155:1',
    })
    expect(selected.chains.eip155).toMatchObject({
      networkId: 'eip155:1',
      unsupportedNetworkId: undefined,
    })
  })
})
