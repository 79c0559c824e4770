import {
  type WalletListing,
  type WalletsResponse,
  WalletsResponse as Schema,
} from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestGateway, type TestGateway } from '../testing/createTestGateway.ts'

const metamask = 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96'
const phantom = 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'
const solanaMainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const bitcoinMainnet = 'bip122:000000000019d6689c085ae165831e93'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await createTestGateway({ rpcUrls: { 'eip155:31337': ['http://127.0.0.1:1'] } })
})
afterAll(() => gateway.stop())

async function fetchWallets(query: string): Promise<WalletsResponse> {
  const { status, body } = await gateway.json(
    `/getWallets?projectId=default&st=appkit&sv=x&${query}`,
  )
  expect(status).toBe(200)
  return v.parse(Schema, body)
}

const names = ({ data }: WalletsResponse) => data.map(({ name }) => name)
const ids = ({ data }: WalletsResponse) => data.map(({ id }) => id)

test('a browser keeps a page of the directory for five minutes, also from the cache of the server', async () => {
  for (let time = 0; time < 2; time += 1) {
    const { headers } = await gateway.json('/getWallets?page=1&entries=2')
    expect(headers.get('cache-control')).toBe('private, max-age=300')
  }
})

test('§7.4 the directory has more than 500 wallets, with the best-known ones first', async () => {
  const { count, data } = await fetchWallets('page=1&entries=4')
  expect(count).toBeGreaterThan(500)
  expect(data).toHaveLength(4)
  expect(data[0]).toMatchObject({
    id: metamask,
    name: 'MetaMask',
    rdns: 'io.metamask',
    mobile_link: 'metamask://',
    badge_type: 'certified',
  })
})

test('§7.4 §9.2/2 pages of 40 contain every wallet once, and `count` is the total on each page', async () => {
  const first = await fetchWallets('')
  expect(first.data).toHaveLength(40)
  const seen = new Set<string>()
  for (let page = 1; page <= Math.ceil(first.count / 40); page += 1) {
    const answer = await fetchWallets(`page=${page}&entries=40`)
    expect(answer.count).toBe(first.count)
    for (const id of ids(answer)) seen.add(id)
  }
  expect(seen.size).toBe(first.count)
  expect(await fetchWallets(`page=1000&entries=40`)).toEqual({ count: first.count, data: [] })
})

test('§3.5 every wallet has the fields that clients need, and all but at most two have an icon', async () => {
  const all: WalletListing[] = []
  for (let page = 1; page <= 6; page += 1)
    all.push(...(await fetchWallets(`page=${page}&entries=100`)).data)
  for (const wallet of all) {
    expect(wallet.id).toMatch(/^[0-9a-f]{64}$/)
    expect(wallet.chains!.length).toBeGreaterThan(0)
    expect(wallet.homepage).toMatch(/^https?:\/\//)
  }
  for (const link of ['mobile_link', 'desktop_link', 'webapp_link'] as const)
    expect(all.some((wallet) => /^[\w+.-]+:/.test(wallet[link] ?? ''))).toBe(true)
  expect(all.filter(({ rdns }) => rdns).length).toBeGreaterThan(10)
  const withoutIcon = all.filter(({ image_id }) => !image_id)
  expect(withoutIcon.length).toBeLessThan(3)
  for (const { image_id } of all.filter(({ image_id }) => image_id).slice(0, 60))
    expect((await gateway.send(`/getWalletImage/${image_id}`)).status).toBe(200)
})

describe('§7.4 search', () => {
  test('is trimmed and case-insensitive', async () => {
    expect(await fetchWallets('search=%20%20mEtAmAsK%20&entries=100')).toEqual(
      await fetchWallets('search=metamask&entries=100'),
    )
  })

  test('lists matches at the start of a name first, then at the start of a word, then the rest', async () => {
    const found = names(await fetchWallets('search=co&entries=100')).map((name) =>
      name.toLowerCase(),
    )
    const rank = (name: string) =>
      name.startsWith('co') ? 0 : name.includes(' co') ? 1 : name.includes('co') ? 2 : 3
    expect(found.length).toBeGreaterThan(20)
    expect(found.map(rank)).toEqual(found.map(rank).toSorted((a, b) => a - b))
  })

  test('matches the rdns', async () => {
    expect(names(await fetchWallets('search=io.metamask'))).toContain('MetaMask')
  })

  test('returns no results for text that matches nothing', async () => {
    expect(await fetchWallets('search=zzzzzzzz')).toEqual({ count: 0, data: [] })
  })

  test('treats special characters literally', async () => {
    expect(await fetchWallets('search=.*')).toEqual({ count: 0, data: [] })
  })
})

describe('§7.4 filters', () => {
  test('`include` selects wallets by id, and `exclude` removes them', async () => {
    expect(ids(await fetchWallets(`include=${phantom},${metamask}&entries=2`))).toEqual([
      metamask,
      phantom,
    ])
    const { count } = await fetchWallets('entries=1')
    const rest = await fetchWallets(`exclude=${phantom},${metamask}&entries=100`)
    expect(rest.count).toBe(count - 2)
    expect(ids(rest)).not.toContain(metamask)
  })

  test('more than 100 entries are allowed when `include` names that many', async () => {
    const first = ids(await fetchWallets('entries=100'))
    const named = [...first, ...ids(await fetchWallets('page=3&entries=50'))]
    expect(ids(await fetchWallets(`entries=150&include=${named.join(',')}`))).toEqual(named)
  })

  test('`chains` selects the wallets of the chains’ families', async () => {
    const solana = await fetchWallets(`chains=${solanaMainnet}&entries=100`)
    expect(names(solana)).toEqual(expect.arrayContaining(['Phantom', 'Solflare', 'Backpack']))
    expect(names(solana)).not.toContain('Rabby')
    expect(names(await fetchWallets(`chains=${bitcoinMainnet}&entries=100`))).toContain(
      'Xverse Wallet',
    )
    expect((await fetchWallets('chains=tezos:NetXdQprcVkpaWU')).count).toBe(0)
  })

  test('a listing contains the first requested chain of each family, and the chains that the server proxies', async () => {
    const { data } = await fetchWallets(
      `chains=eip155:777,eip155:778,${solanaMainnet}&include=${metamask},${phantom}`,
    )
    for (const { chains } of data) {
      expect(chains).toEqual(expect.arrayContaining(['eip155:777', 'eip155:1', 'eip155:31337']))
      expect(chains).not.toContain('eip155:778')
    }
    // Official clients drop a wallet that has none of the page's chains.
    const general = await fetchWallets('entries=1')
    expect(general.data[0]!.chains).toContain('eip155:31337')
  })

  test('`badge_type` and `badge` select certified wallets, or those that are not', async () => {
    const all = await fetchWallets('entries=1')
    const certified = await fetchWallets('badge_type=certified&entries=100')
    const none = await fetchWallets('badge_type=none&entries=100')
    expect(certified.data.every(({ badge_type }) => badge_type === 'certified')).toBe(true)
    expect(certified.count + none.count).toBe(all.count)
    expect((await fetchWallets('badge=certified')).count).toBe(certified.count)
  })

  test('`names` and `rdns` select wallets that match either', async () => {
    const found = await fetchWallets(
      'rdns=io.metamask&names=phantom,Unknown&entries=20&badge=certified',
    )
    expect(names(found)).toEqual(['MetaMask', 'Phantom'])
  })

  test('empty values and unknown parameters are ignored', async () => {
    expect(await fetchWallets('search=&include=&exclude=&chains=&foo=bar&sort=wcpay')).toEqual(
      await fetchWallets(''),
    )
  })
})

describe('a long query', () => {
  const length = async (query: string) => {
    const response = await gateway.send(`/getWallets?${query}`)
    expect(response.status).toBe(200)
    return (await response.arrayBuffer()).byteLength
  }
  const longChains = Array.from({ length: 950 }, (_, index) => `eip155:${'9'.repeat(28)}${index}`)

  test('attack: gets a response of at most 300 KB', async () => {
    const { count } = await fetchWallets('entries=1')
    const all: string[] = []
    for (let page = 1; all.length < count; page += 1)
      all.push(...ids(await fetchWallets(`page=${page}&entries=100`)))
    const query = `include=${all.join(',')}&chains=${longChains.join(',')}&entries=${all.length}`
    expect(query.length).toBeGreaterThan(70_000)
    expect(await length(query)).toBeLessThanOrEqual(300_000)
    // The limit leaves room for hundreds of wallets.
    expect((await fetchWallets(query)).data.length).toBeGreaterThan(300)
  })

  test('attack: adds only one chain per family to each wallet, not every requested chain', async () => {
    const plain = await length('entries=100')
    expect(await length(`entries=100&chains=${longChains.join(',')}`)).toBeLessThan(plain + 10_000)
  })
})

test.each([
  ['page', '0'],
  ['page', '-1'],
  ['page', '1.5'],
  ['page', 'two'],
  ['entries', '0'],
  ['entries', '101'],
  ['entries', '1e2'],
  ['badge_type', 'gold'],
  ['badge', 'gold'],
  ['chains', 'mainnet'],
  ['chains', 'eip155:1,1'],
  ['include', '<script>'],
  ['search', 'x'.repeat(101)],
  ['include_pay_only', 'maybe'],
])('error: %s=%s is refused, and the reason names the field', async (field, value) => {
  const { status, body } = await gateway.json(`/getWallets?${field}=${encodeURIComponent(value)}`)
  expect(status).toBe(400)
  expect(body).toEqual({
    status: 'FAILED',
    reasons: [{ field, description: expect.stringContaining(`${field} must`) as string }],
  })
})
