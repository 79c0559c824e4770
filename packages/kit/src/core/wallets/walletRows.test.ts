import { limits } from '@gatefold/protocol'
import { describe, expect, test } from 'vitest'

import type { Connector } from '../connection/Connector.ts'
import {
  connectMethods,
  groupOrder,
  isSameWallet,
  uniqueConnectors,
  walletRows,
} from './walletRows.ts'
import type { WalletRow } from './walletRows.ts'
import { sortWallets } from './sortWallets.ts'
import type { WalletListing } from './WalletListing.ts'

const connector = (id: string, type: Connector['type'] = 'ANNOUNCED', rdns?: string): Connector =>
  ({
    id,
    name: id,
    type,
    chain: 'eip155',
    info: { rdns: rdns ?? (type === 'ANNOUNCED' ? id : undefined) },
  }) as Connector
const wallet = (id: string, more: Partial<WalletListing> = {}): WalletListing => ({
  id,
  name: id,
  ...more,
})

const base = {
  connectors: [] as Connector[],
  mobile: false,
  recent: [] as WalletListing[],
  featured: [] as WalletListing[],
  recommended: [] as WalletListing[],
  custom: [] as WalletListing[],
  excluded: [] as WalletListing[],
}
const ids = (rows: readonly WalletRow[]) =>
  rows.map((row) => ('wallet' in row ? row.wallet.id : row.connector.id))

describe('§9.9.1 the order of the groups', () => {
  const full = {
    ...base,
    connectors: [
      connector('sdk', 'EXTERNAL'),
      connector('dev.one'),
      connector('wc', 'WALLET_CONNECT'),
    ],
    recent: [wallet('recent')],
    featured: [wallet('featured')],
    custom: [wallet('custom')],
  }
  test('is the specified order by default', () => {
    const connectors = full.connectors.filter(({ type }) => type !== 'ANNOUNCED')
    const rows = walletRows({ ...full, connectors })
    expect(ids(rows)).toEqual(['wc', 'recent', 'featured', 'custom', 'sdk'])
    expect(rows.map(({ group }) => group)).toEqual([
      'walletConnect',
      'recent',
      'featured',
      'custom',
      'external',
    ])
    expect(groupOrder()).toEqual(limits.connectorTypeOrder)
  })
  test.each([[undefined], [[]]])(
    'has installed wallets first and the QR code last if a wallet is installed and the configured order is %j',
    (order) => {
      expect(ids(walletRows({ ...full, order }))).toEqual([
        'dev.one',
        'recent',
        'featured',
        'custom',
        'sdk',
        'wc',
      ])
    },
  )
  test('has the configured groups first, then the other groups', () => {
    expect(ids(walletRows({ ...full, order: ['custom', 'injected'] }))).toEqual([
      'custom',
      'dev.one',
      'wc',
      'recent',
      'featured',
      'sdk',
    ])
    expect(groupOrder(['featured'])).toHaveLength(7)
  })
  test('of installed wallets lists those with several families first, and injected ones last', () => {
    const connectors = [
      connector('injected', 'INJECTED', 'dev.injected'),
      connector('dev.one'),
      connector('dev.all', 'MULTI_CHAIN', 'dev.all'),
    ]
    const rows = walletRows({ ...base, mobile: true, connectors })
    expect(ids(rows)).toEqual(['dev.all', 'dev.one', 'injected'])
    expect(rows.every(({ group }) => group === 'injected')).toBe(true)
  })
  test('WalletConnect has no row on a phone', () => {
    expect(ids(walletRows({ ...full, mobile: true }))).not.toContain('wc')
  })
})

test('§9.9.2/1 §9.9.2/2 installed wallets are listed first, then featured wallets in the configured order', () => {
  const wallets = ['plain', 'second', 'first', 'installed'].map((id) =>
    wallet(id, { rdns: `dev.${id}` }),
  )
  const sorted = sortWallets(wallets, {
    connectors: [connector('dev.installed')],
    featuredWalletIds: ['first', 'second'],
  })
  expect(sorted.map(({ id }) => id)).toEqual(['installed', 'first', 'second', 'plain'])
})

describe('§9.9.3 duplicates', () => {
  test('an installed directory wallet, matched by rdns, is listed once', () => {
    const rows = walletRows({
      ...base,
      connectors: [connector('dev.one')],
      featured: [wallet('abc', { rdns: 'dev.one' }), wallet('other')],
    })
    expect(ids(rows)).toEqual(['dev.one', 'other'])
  })
  test('a wallet that belongs to several groups is listed in the first', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => wallet(id))
    const rows = walletRows({ ...base, recent: [a!], featured: [a!, b!], custom: [a!, b!, c!] })
    expect(rows.map(({ group }) => group)).toEqual(['recent', 'featured', 'custom'])
  })
  test('a recent wallet, matched by id, is listed once', () => {
    const rows = walletRows({ ...base, recent: [wallet('abc')], featured: [wallet('abc')] })
    expect(rows).toEqual([{ group: 'recent', wallet: wallet('abc') }])
  })
  test('MetaMask’s mobile connector counts as the same wallet as the extension', () => {
    const rows = walletRows({
      ...base,
      connectors: [connector('io.metamask.mobile')],
      featured: [wallet('mm', { rdns: 'io.metamask' })],
    })
    expect(ids(rows)).toEqual(['io.metamask.mobile'])
  })
  test('an announced wallet takes precedence over an injected wallet with the same rdns', () => {
    const rows = walletRows({
      ...base,
      mobile: true,
      connectors: [connector('injected', 'INJECTED', 'dev.one'), connector('dev.one')],
    })
    expect(ids(rows)).toEqual(['dev.one'])
  })
})

describe('§3.1 §9.9.3 a directory wallet and a connector', () => {
  const plain = { id: 'c', name: 'C', type: 'EXTERNAL', chain: 'eip155' } as Connector
  test.each<[string, boolean, Partial<WalletListing>, Partial<Connector>]>([
    ['the id in the directory', true, { id: 'w' }, { explorerId: 'w' }],
    ['the connector’s id', true, { id: 'c' }, {}],
    ['the rdns', true, { rdns: 'dev.one' }, { info: { rdns: 'dev.one' } }],
    ['the rdns as the connector’s id', true, { rdns: 'dev.one' }, { id: 'dev.one' }],
    ['MetaMask’s mobile id', true, { rdns: 'io.metamask' }, { id: 'io.metamask.mobile' }],
    ['different values', false, { rdns: 'dev.one' }, { id: 'x', info: { rdns: 'dev.two' } }],
    ['an rdns that is missing in both', false, {}, {}],
    ['an empty rdns', false, { rdns: '' }, { id: '', info: { rdns: '' } }],
  ])('with %s are the same wallet: %s', (_, same, listing, info) => {
    expect(isSameWallet(wallet('w', listing), { ...plain, ...info })).toBe(same)
  })
})

describe('§9.9.3 connectors with the same rdns or id', () => {
  const typed = (type: Connector['type'], more: Partial<Connector> = {}) =>
    ({ ...connector('dev.one', type, 'dev.one'), ...more }) as Connector
  test.each<[Connector['type'], Connector['type']]>([
    ['MULTI_CHAIN', 'ANNOUNCED'],
    ['ANNOUNCED', 'EXTERNAL'],
    ['EXTERNAL', 'INJECTED'],
    ['WALLET_CONNECT', 'INJECTED'],
    ['AUTH', 'INJECTED'],
  ])('%s takes precedence over %s', (first, second) => {
    const [a, b] = [typed(first), typed(second)]
    expect(uniqueConnectors([a, b])).toEqual([a])
    expect(uniqueConnectors([b, a])).toEqual([a])
  })
  test('the first of the same type is kept, for each chain family', () => {
    const [a, b] = [typed('ANNOUNCED', { id: 'a' }), typed('ANNOUNCED', { id: 'b' })]
    const solana = typed('ANNOUNCED', { chain: 'solana' })
    expect(uniqueConnectors([a, b, solana])).toEqual([a, solana])
  })
  test('connectors without an rdns are compared by id', () => {
    const [a, b] = [connector('a', 'EXTERNAL'), connector('b', 'EXTERNAL')]
    expect(uniqueConnectors([a, b, connector('a', 'INJECTED')])).toEqual([a, b])
  })
})

describe('§9.9.4 excluded wallets', () => {
  test('are not listed in any group', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => wallet(id, { name: `Wallet ${id}` }))
    const rows = walletRows({
      ...base,
      recent: [a!, b!, c!],
      excluded: [wallet('a'), wallet('x', { name: 'wallet B' })],
    })
    expect(ids(rows)).toEqual(['c'])
  })
  test.each([
    ['rdns', wallet('x', { rdns: 'dev.one' })],
    ['name, ignoring case', wallet('x', { name: 'DEV.One' })],
  ])('are matched by %s', (_, excluded) => {
    const rows = walletRows({
      ...base,
      connectors: [connector('dev.one'), connector('dev.two')],
      excluded: [excluded],
    })
    expect(ids(rows)).toEqual(['dev.two'])
  })
})

describe('§9.9.5 the generic Browser Wallet', () => {
  const generic = connector('injected', 'INJECTED')
  test.each([
    ['is not listed on a desktop without an rdns', { ...base, connectors: [generic] }, 0],
    [
      'is not listed on a desktop with an rdns',
      { ...base, connectors: [connector('injected', 'INJECTED', 'dev.x')] },
      0,
    ],
    [
      'is not listed on a phone without an rdns',
      { ...base, mobile: true, connectors: [generic] },
      0,
    ],
    [
      'is not listed on a phone without information about the wallet',
      { ...base, mobile: true, connectors: [{ ...generic, info: undefined }] },
      0,
    ],
    [
      'is listed on a phone with an rdns',
      { ...base, mobile: true, connectors: [connector('injected', 'INJECTED', 'dev.x')] },
      1,
    ],
  ])('%s', (_, parameters, rows) => expect(walletRows(parameters)).toHaveLength(rows))
})

describe('§9.2 the number of suggested wallets', () => {
  const many = ['a', 'b', 'c', 'd', 'e'].map((id) => wallet(id))
  test('is at most two for recent wallets', () => {
    expect(ids(walletRows({ ...base, recent: many }))).toEqual(['a', 'b'])
  })
  test.each([
    ['nothing installed', [], 4],
    ['one installed', [connector('dev.one')], 1],
    ['two installed', [connector('dev.one'), connector('dev.two')], 0],
    ['three installed', ['dev.one', 'dev.two', 'dev.three'].map((id) => connector(id)), 0],
    ['one with several families', [connector('dev.one', 'MULTI_CHAIN')], 1],
    ['a wallet that needs no installation', [connector('dev.one', 'EXTERNAL')], 4],
  ])(
    'for recommended wallets, is four, or two minus the number of installed wallets: %s',
    (_, connectors, count) => {
      const rows = walletRows({ ...base, connectors, recommended: many })
      expect(rows.filter(({ group }) => group === 'recommended')).toHaveLength(count)
    },
  )
  test('counts an injected wallet as installed, on a phone', () => {
    const connectors = [connector('injected', 'INJECTED', 'dev.one')]
    const rows = walletRows({ ...base, mobile: true, connectors, recommended: many })
    expect(ids(rows)).toEqual(['injected', 'a'])
  })
  test('for recommended wallets, is reduced by the number of recent wallets', () => {
    const rows = walletRows({ ...base, recent: [wallet('r')], recommended: many })
    expect(ids(rows)).toEqual(['r', 'a', 'b', 'c'])
    const installed = walletRows({
      ...base,
      connectors: [connector('dev.one')],
      recent: [wallet('r')],
      recommended: many,
    })
    expect(ids(installed)).toEqual(['dev.one', 'r'])
  })
  test.each(['featured', 'custom'])(
    'for recommended wallets, is zero if the site has %s wallets',
    (group) => {
      const rows = walletRows({ ...base, [group]: [wallet('own')], recommended: many })
      expect(ids(rows)).toEqual(['own'])
    },
  )
})

test('only wallets of the requested chain family are listed', () => {
  const rows = walletRows({
    ...base,
    namespace: 'solana',
    connectors: [connector('dev.evm')],
    featured: [
      wallet('sol', { chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] }),
      wallet('eth', { chains: ['eip155:1'] }),
      wallet('both', { chains: ['eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] }),
      wallet('any'),
    ],
  })
  expect(ids(rows)).toEqual(['sol', 'both', 'any'])
})

describe('the connect methods', () => {
  test('§2.11.1 are email, social, wallet by default', () => {
    expect(connectMethods({ hasInstalledWallet: false })).toEqual([
      'email',
      'social',
      'passkey',
      'wallet',
    ])
  })
  test('§2.11.2 begin with wallets if a wallet is installed', () => {
    expect(connectMethods({ hasInstalledWallet: true })).toEqual([
      'wallet',
      'email',
      'social',
      'passkey',
    ])
  })
  test('§2.11.2 have the configured order if there is one', () => {
    const configured = ['social', 'wallet'] as const
    expect(connectMethods({ configured, hasInstalledWallet: true })).toEqual(configured)
    expect(connectMethods({ configured: [], hasInstalledWallet: true })).toHaveLength(4)
  })
})
