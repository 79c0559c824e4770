import { describe, expect, test, vi } from 'vitest'
import { mainnet } from 'viem/chains'
import type { WalletsQuery } from '@gatefold/protocol/gateway'

import { isConnectedBy } from '../connection/account.ts'
import { connect } from '../connection/connect.ts'
import { memoryStorage } from '../storage/storage.ts'
import { useKits } from '../testing/useKits.ts'
import { addRecentWallet } from './addRecentWallet.ts'
import { connectorArt, networkArt, walletArt } from './art.ts'
import { fetchWallets, loadSuggestions } from './fetchWallets.ts'
import { findWallet } from './findWallet.ts'
import { connectorImage, networkImage, walletImage } from './images.ts'
import { openWallet } from './openWallet.ts'
import type { WalletListing } from './WalletListing.ts'

const { start } = useKits()
const trust = '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0'
const popular = ['MetaMask', 'Trust Wallet', 'Base (formerly Coinbase Wallet)', 'Phantom']
const metaMask = 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96'
const wallet = (id: string, more: Partial<WalletListing> = {}): WalletListing => ({
  id,
  name: id.toUpperCase(),
  ...more,
})
const ids = (wallets: readonly WalletListing[]) => wallets.map(({ id }) => id)
const onPhone = () =>
  vi.stubGlobal('window', { location: {}, matchMedia: () => ({ matches: true }) })

/** A gateway that answers each query with `respond`, and records the queries. */
function gateway(respond: (query: WalletsQuery) => readonly WalletListing[] | Error = () => []) {
  const queries: WalletsQuery[] = []
  return {
    queries,
    client: {
      async wallets(query: WalletsQuery, signal?: AbortSignal) {
        queries.push(query)
        signal?.throwIfAborted()
        const data = respond(query)
        if (data instanceof Error) throw data
        return { data, count: 77 }
      },
      analyticsEnabled: async () => false,
      send: async () => {},
    },
  }
}

describe('a page of the directory', () => {
  test.each([
    [{}, { page: 1, entries: 40, search: undefined, badge_type: undefined }],
    [
      { page: 3, certified: true },
      { page: 3, entries: 40, badge_type: 'certified' },
    ],
    [{ search: '  ha ' }, { page: 1, entries: 100, search: 'ha' }],
    [{ search: ' ' }, { entries: 40, search: undefined }],
  ])('§7.4 is requested with %j', async (parameters, query) => {
    const { client, queries } = gateway()
    const { kit } = start({ includeWalletIds: ['a'], excludeWalletIds: ['b'] }, client)
    expect(await fetchWallets(kit, parameters)).toMatchObject({ count: 77, online: true })
    expect(queries).toMatchObject([
      { ...query, include: ['a'], exclude: ['b'], chains: ['eip155:1', 'eip155:10'] },
    ])
  })

  test('is not filtered by private chains', async () => {
    const { client, queries } = gateway()
    const network = {
      id: 31337,
      name: 'Private',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['http://localhost:9'] } },
    }
    const { kit } = start({ networks: [network] }, client)
    await fetchWallets(kit)
    expect(queries[0]?.chains).toBeUndefined()
  })

  test('§9.9.2 lists installed wallets first, then featured ones', async () => {
    const { client } = gateway(() => [
      wallet('a'),
      wallet('b'),
      wallet('c', { rdns: 'dev.gatefold.nacre' }),
    ])
    const { kit } = start({ featuredWalletIds: ['b'] }, client)
    expect(ids((await fetchWallets(kit)).wallets)).toEqual(['c', 'b', 'a'])
  })

  test('on a phone, lists only wallets with a mobile or web app', async () => {
    onPhone()
    const { client } = gateway(() => [
      wallet('a'),
      wallet('b', { mobile_link: 'b://' }),
      wallet('c', { webapp_link: 'https://c.example' }),
    ])
    const { kit } = start({}, client)
    expect(ids((await fetchWallets(kit)).wallets)).toEqual(['b', 'c'])
  })

  test('error: an aborted request rejects instead of falling back', async () => {
    const { kit } = start({}, gateway().client)
    const signal = AbortSignal.abort(new Error('superseded'))
    await expect(fetchWallets(kit, { signal })).rejects.toThrow('superseded')
  })
})

describe('the bundled directory', () => {
  const offline = () => gateway(() => new TypeError('offline')).client

  test.each([
    ['without a gateway', undefined],
    ['if the gateway fails', offline()],
  ])('is listed %s, in pages', async (_, client) => {
    const { kit } = start({}, client)
    const first = await fetchWallets(kit)
    const second = await fetchWallets(kit, { page: 2 })
    expect(first).toMatchObject({ online: false, count: second.count })
    expect(first.wallets).toHaveLength(40)
    expect(first.wallets[0]?.name).toBe('MetaMask')
    expect(ids(second.wallets)).not.toContain(first.wallets[0]?.id)
    expect(new Set(ids([...first.wallets, ...second.wallets])).size).toBe(Math.min(80, first.count))
  })

  test.each([
    ['the search, ignoring case', { search: 'METAM' }, {}, ['MetaMask']],
    ['a search without result', { search: 'no such wallet' }, {}, []],
    ['the included ids', {}, { includeWalletIds: [metaMask] }, ['MetaMask']],
    ['the excluded ids', { search: 'metamask' }, { excludeWalletIds: [metaMask] }, []],
  ])('is filtered by %s', async (_, parameters, options, names) => {
    const { kit } = start(options)
    const page = await fetchWallets(kit, parameters)
    expect(page.wallets.map(({ name }) => name)).toEqual(names)
    expect(page.count).toBe(names.length)
  })

  test('is not filtered if the list of included ids is empty', async () => {
    const { kit } = start({ includeWalletIds: [] })
    expect((await fetchWallets(kit)).wallets).toHaveLength(40)
  })

  test.each([
    ['eip155', 1, 'Rabby', 'Xverse Wallet'],
    ['solana', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'Solflare', 'Rabby'],
    ['bip122', '000000000019d6689c085ae165831e93', 'Xverse Wallet', 'Rabby'],
  ] as const)(
    'has only wallets for the site’s chains: %s',
    async (chainNamespace, id, listed, unlisted) => {
      const network = {
        id,
        chainNamespace,
        name: 'Chain',
        nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 9 },
        rpcUrls: { default: { http: ['http://localhost:9'] } },
      }
      const { kit } = start({ networks: [network] })
      const pages = await Promise.all([fetchWallets(kit), fetchWallets(kit, { page: 2 })])
      const names = pages.flatMap(({ wallets }) => wallets.map(({ name }) => name))
      expect(names).toContain(listed)
      expect(names).not.toContain(unlisted)
      expect(pages[0].count).toBe(names.length)
      expect((await fetchWallets(kit, { search: unlisted })).wallets).toEqual([])
    },
  )

  test('has the wallets for each of the site’s chain families', async () => {
    const { kit } = start({ networks: [mainnet, { ...mainnet, chainNamespace: 'solana' }] })
    for (const search of ['Rabby', 'Solflare', 'Phantom'])
      expect((await fetchWallets(kit, { search })).wallets).toMatchObject([{ name: search }])
    expect((await fetchWallets(kit, { search: 'Xverse' })).wallets).toEqual([])
  })

  test('lists only certified wallets on request', async () => {
    const { kit } = start()
    const all = await fetchWallets(kit)
    const certified = await fetchWallets(kit, { certified: true })
    expect(certified.wallets.length).toBeGreaterThan(0)
    expect(certified.count).toBeLessThan(all.count)
    expect(certified.wallets.every(({ badge_type }) => badge_type === 'certified')).toBe(true)
  })
})

describe('suggestions', () => {
  const options = {
    featuredWalletIds: ['f1', 'f2'],
    excludeWalletIds: ['x'],
    includeWalletIds: ['i'],
  }

  test('§9.2 are the featured wallets in the configured order, and the first of the others', async () => {
    const { client, queries } = gateway(({ include }) =>
      (include ?? []).toReversed().map((id) => wallet(id)),
    )
    const { kit } = start(options, client)
    await loadSuggestions(kit)
    expect(kit.getState().suggestions).toEqual({
      featured: [wallet('f1'), wallet('f2')],
      excluded: [wallet('x')],
      recommended: [wallet('i')],
      count: 77,
    })
    expect(queries).toEqual([
      { page: 1, entries: 2, include: ['f1', 'f2'] },
      { page: 1, entries: 1, include: ['x'] },
      {
        page: 1,
        entries: 4,
        include: ['i'],
        exclude: ['x', 'f1', 'f2'],
        chains: ['eip155:1', 'eip155:10'],
      },
    ])
  })

  test('are loaded without requests for lists that the site does not configure', async () => {
    const { client, queries } = gateway()
    const { kit } = start({}, client)
    await loadSuggestions(kit)
    expect(queries).toMatchObject([{ exclude: [] }])
  })

  test('are requested at most 100 at a time', async () => {
    const { client, queries } = gateway()
    const { kit } = start({ featuredWalletIds: Array.from({ length: 101 }, String) }, client)
    await loadSuggestions(kit)
    expect(queries[0]?.entries).toBe(100)
  })

  test('error: are those of the bundled directory if the first request fails, and unchanged if a later request fails', async () => {
    let fails = true
    const { client } = gateway(() => (fails ? new TypeError('offline') : [wallet('a')]))
    const { kit } = start({}, client)
    await loadSuggestions(kit)
    expect(kit.getState().suggestions).toMatchObject({
      recommended: popular.map((name) => ({ name })),
      count: undefined,
    })
    fails = false
    await loadSuggestions(kit)
    fails = true
    await loadSuggestions(kit)
    expect(kit.getState().suggestions).toMatchObject({ recommended: [wallet('a')], count: 77 })
  })

  test('§9.2 without a gateway, are the configured wallets and the first other wallets of the bundled directory', async () => {
    const { kit } = start({ featuredWalletIds: [trust, 'unknown'], excludeWalletIds: [metaMask] })
    await loadSuggestions(kit)
    expect(kit.getState().suggestions).toMatchObject({
      featured: [{ name: 'Trust Wallet' }],
      excluded: [{ name: 'MetaMask' }],
      recommended: [...popular.slice(2), 'Binance Wallet', 'OKX Wallet'].map((name) => ({ name })),
    })
    expect(kit.getState().suggestions?.count).toBeGreaterThan(30)
  })

  test('error: are empty if the bundled directory fails to load, and loaded by the next call', async () => {
    vi.doMock('../../data/directory.ts', () => {
      throw new TypeError('chunk')
    })
    const { kit } = start()
    await loadSuggestions(kit)
    expect(kit.getState().suggestions).toEqual({ featured: [], excluded: [], recommended: [] })
    vi.doUnmock('../../data/directory.ts')
    await loadSuggestions(kit)
    expect(kit.getState().suggestions?.recommended).toHaveLength(4)
  })

  test('without a gateway, on a phone, are wallets with a mobile or web app', async () => {
    onPhone()
    const { kit } = start()
    await loadSuggestions(kit)
    const { recommended = [] } = kit.getState().suggestions ?? {}
    expect(recommended).toHaveLength(4)
    expect(recommended.every(({ mobile_link, webapp_link }) => mobile_link ?? webapp_link)).toBe(
      true,
    )
  })
})

describe('findWallet', () => {
  const orrery = wallet('o1', { name: 'Orrery Wallet', rdns: 'dev.Orrery' })

  test.each(['O1', 'ORRERY', 'dev.orrery', 'Orrery', 'orrery wallet'])(
    'by “%s” finds a wallet of the site without a request',
    async (text) => {
      const { client, queries } = gateway()
      const { kit } = start({ customWallets: [wallet('other'), orrery] }, client)
      expect(await findWallet(kit, text)).toEqual(orrery)
      expect(queries).toEqual([])
    },
  )

  test('finds recent and suggested wallets', async () => {
    const { kit } = start()
    addRecentWallet(kit, wallet('recent'))
    kit.dispatch({
      type: 'suggestions.changed',
      suggestions: {
        featured: [wallet('featured')],
        recommended: [wallet('recommended')],
        excluded: [wallet('excluded')],
        count: 2,
      },
    })
    for (const id of ['recent', 'featured', 'recommended'])
      expect((await findWallet(kit, id))?.id).toBe(id)
    expect(await findWallet(kit, 'excluded')).toBeUndefined()
  })

  test('finds a wallet whose id has capital letters', async () => {
    const { kit } = start()
    addRecentWallet(kit, { ...wallet('MyWallet'), name: 'Astrolabe' })
    for (const id of ['MyWallet', 'mywallet'])
      expect((await findWallet(kit, id))?.id).toBe('MyWallet')
  })

  test.each(['Orrery Wallets', 'Orrery Wallet Pro', 'Quadrant Pro', 'dev', ''])(
    'by “%s” finds no wallet with another name',
    async (text) => {
      const { kit } = start({
        customWallets: [orrery, wallet('quadrant', { name: 'Quadrant Wallet Pro' })],
      })
      expect(await findWallet(kit, text)).toBeUndefined()
    },
  )

  test('finds wallets of the bundled directory', async () => {
    const { kit } = start()
    expect((await findWallet(kit, 'metamask'))?.id).toBe(metaMask)
    expect((await findWallet(kit, metaMask.toUpperCase()))?.id).toBe(metaMask)
  })

  test.each([
    ['by id', 'A9'.repeat(32), { include: ['A9'.repeat(32)] }],
    ['by name', 'Sextant', { search: 'Sextant' }],
    ['by a text longer than an id', 'a'.repeat(65), { search: 'a'.repeat(65) }],
  ])('searches the gateway %s', async (_, text, query) => {
    const found = wallet(text.toLowerCase(), { name: text })
    const { client, queries } = gateway(() => [wallet('other'), found])
    const { kit } = start({}, client)
    expect(await findWallet(kit, text)).toEqual(found)
    expect(queries).toEqual([{ page: 1, entries: 100, ...query }])
  })

  test('error: finds nothing if the gateway fails or does not know the wallet', async () => {
    const failing = start({}, gateway(() => new TypeError('offline')).client)
    expect(await findWallet(failing.kit, 'Sextant')).toBeUndefined()
    const empty = start({}, gateway(() => [wallet('other')]).client)
    expect(await findWallet(empty.kit, 'Sextant')).toBeUndefined()
  })
})

describe('opening the modal for one wallet', () => {
  const history = ({ kit }: ReturnType<typeof start>) =>
    kit.getState().view.history.map(({ name }) => name)

  test('connects it if it is installed', async () => {
    const nacre = wallet('n', { name: 'Nacre', rdns: 'dev.gatefold.nacre' })
    const site = start({ customWallets: [nacre] })
    await openWallet(site.kit, 'Nacre')
    await expect.poll(() => isConnectedBy(site.kit.getState(), 'dev.gatefold.nacre')).toBe(true)
  })

  test('shows the connect view for an unknown wallet, even while another is connected', async () => {
    const site = start()
    await connect(site.kit, { connectorId: site.wallets.ids[0] })
    await openWallet(site.kit, 'no such wallet')
    expect(site.kit.getState().view.open).toBe(true)
    expect(history(site)).toEqual(['Connect'])
  })

  test('shows how to get a wallet that no connector can reach', async () => {
    const site = start()
    await openWallet(site.kit, 'MetaMask')
    expect(history(site)).toEqual(['Connect', 'Downloads'])
  })
})

describe('images', () => {
  const { client } = gateway()
  const connector = { id: 'c', name: 'C', type: 'EXTERNAL', chain: 'eip155' } as never

  test('§3.1 are loaded from the gateway by id', () => {
    const { kit } = start({}, client)
    const [network] = kit.getState().networks
    const origin = 'https://gate.example'
    expect(walletImage(kit, wallet('a', { image_id: 'w1' }))).toBe(
      `${origin}/getWalletImage/w1?projectId=p1`,
    )
    expect(connectorImage(kit, Object.assign({}, connector, { imageId: 'c1' }))).toBe(
      `${origin}/public/getAssetImage/c1?projectId=p1`,
    )
    expect(networkImage(kit, { ...network!, assets: { imageId: 'n1' } })).toBe(
      `${origin}/public/getAssetImage/n1?projectId=p1`,
    )
  })

  test('have no project id if the site has none', () => {
    const { kit } = start({ projectId: undefined }, client)
    expect(walletImage(kit, wallet('a', { image_id: 'w1' }))).toBe(
      'https://gate.example/getWalletImage/w1',
    )
  })

  test('§3.1 §3.5 with a URL are loaded from there', () => {
    const { kit } = start({ storage: memoryStorage() }, client)
    const [network] = kit.getState().networks
    const url = 'https://images.example/a.png'
    expect(walletImage(kit, wallet('a', { image_id: 'w1', image_url: url }))).toBe(url)
    expect(
      connectorImage(kit, Object.assign({}, connector, { imageId: 'c1', imageUrl: url })),
    ).toBe(url)
    expect(networkImage(kit, { ...network!, assets: { imageId: 'n1', imageUrl: url } })).toBe(url)
  })

  test('have two fallbacks, a bundled picture and a name, and a shape', () => {
    const { kit } = start({}, client)
    const network = kit.getState().networks[0]!
    const origin = 'https://gate.example'
    expect([
      walletArt(kit, wallet('a', { image_id: 'w1' })),
      walletArt(kit, wallet('b', { image_id: null })),
      connectorArt(kit, Object.assign({}, connector, { imageId: 'c1' })),
      networkArt(kit, { ...network, assets: { imageId: 'n1' } }),
    ]).toEqual([
      { name: 'A', src: `${origin}/getWalletImage/w1?projectId=p1`, picture: 'w1' },
      { name: 'B', src: undefined, picture: undefined },
      { name: 'C', src: `${origin}/public/getAssetImage/c1?projectId=p1`, picture: 'c' },
      {
        name: 'Ethereum',
        src: `${origin}/public/getAssetImage/n1?projectId=p1`,
        picture: 'eip155:1',
        shape: 'hex',
      },
    ])
  })

  test('are missing without an id or a gateway', () => {
    const online = start({}, client).kit
    const offline = start().kit
    const network = offline.getState().networks[0]!
    for (const kit of [online, offline]) {
      expect(walletImage(kit, wallet('a'))).toBeUndefined()
      expect(connectorImage(kit, connector)).toBeUndefined()
      expect(networkImage(kit, { ...network, assets: undefined })).toBeUndefined()
    }
    expect(walletImage(offline, wallet('a', { image_id: 'w1' }))).toBeUndefined()
    expect(networkImage(offline, { ...network, assets: { imageId: 'n1' } })).toBeUndefined()
  })
})
