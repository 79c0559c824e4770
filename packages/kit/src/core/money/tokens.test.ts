import { describe, expect, test, vi } from 'vitest'
import { mainnet, optimism, sepolia } from 'viem/chains'

import { connect } from '../connection/connect.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import { useKits } from '../testing/useKits.ts'
import { byValue, getTokens } from './tokens.ts'
import type { Token } from './tokens.ts'

const { start } = useKits()

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const ether = {
  name: 'Ether',
  symbol: 'ETH',
  chainId: 'eip155:1',
  price: 3600.5,
  quantity: { decimals: '18', numeric: '2.5' },
  iconUrl: 'https://gate.example/public/getTokenImage/ETH',
}
const dollar = {
  ...ether,
  name: 'USD Coin',
  symbol: 'USDC',
  chainId: 'eip155:10',
  address: `eip155:10:${usdc}`,
  price: 1,
  quantity: { decimals: '6', numeric: '20000.000001' },
}

async function read(balances: unknown, more: object = {}) {
  const request = vi.fn<GatewayClient['request']>(async () => ({ balances, ...more }))
  const site = start(
    { networks: [mainnet, optimism, sepolia] },
    { request, analyticsEnabled: async () => false },
  )
  await connect(site.kit, { connectorId: site.wallets.ids[0] })
  return { ...site, request, list: await getTokens(site.kit) }
}

test('§3.4/2 §3.7.1 §7.8.4 the tokens of the account, the most valuable first', async () => {
  const { list, request, wallets } = await read([ether, dollar])
  expect(request.mock.calls[0]?.[0]).toBe(`/v1/account/${wallets.address(0)}/balance`)
  expect(request.mock.calls[0]?.[1]?.query).toEqual({ currency: 'usd' })
  expect(
    list.tokens.map(({ network: { name }, ...token }) => ({ ...token, network: name })),
  ).toEqual([
    {
      id: `eip155:10:${usdc}`,
      address: usdc,
      name: 'USD Coin',
      symbol: 'USDC',
      decimals: 6,
      units: 20_000_000_001n,
      amount: '20000.000001',
      price: '1',
      value: '20000.000001',
      image: ether.iconUrl,
      isSpam: false,
      network: 'OP Mainnet',
    },
    {
      id: 'eip155:1',
      address: undefined,
      name: 'Ether',
      symbol: 'ETH',
      decimals: 18,
      units: 2_500_000_000_000_000_000n,
      amount: '2.5',
      price: '3600.5',
      value: '9001.25',
      image: ether.iconUrl,
      isSpam: false,
      network: 'Ethereum',
    },
  ])
  expect(list).toMatchObject({ total: '29001.250001', isPartial: false })
})

test('tokens without a price are last and not in the total', async () => {
  const { list } = await read([{ ...dollar, price: 0 }, ether])
  expect(list.tokens.map(({ symbol, value }) => [symbol, value])).toEqual([
    ['ETH', '9001.25'],
    ['USDC', undefined],
  ])
  expect(list.total).toBe('9001.25')
})

test('several tokens without a price keep their order, after those with one', async () => {
  const free = (symbol: string) => ({
    ...dollar,
    address: `eip155:10:0x${symbol}`,
    symbol,
    price: 0,
  })
  const { list } = await read([free('a'), ether, free('b'), dollar])
  expect(list.tokens.map(({ symbol }) => symbol)).toEqual(['USDC', 'ETH', 'a', 'b'])
})

test('a token without a price is compared as less than one with a price, from both sides', () => {
  const [priced, free] = [{ value: '1' }, { value: undefined }] as [Token, Token]
  expect([byValue(priced, free), byValue(free, priced), byValue(free, free)]).toEqual([-1, 1, 0])
})

test('a token without a name has its symbol as the name', async () => {
  const { list } = await read([{ ...ether, name: null }])
  expect(list.tokens[0]?.name).toBe('ETH')
})

test('§9.3.4/2 tokens on a test network have no value', async () => {
  const { list } = await read([{ ...ether, chainId: 'eip155:11155111' }])
  expect(list.tokens[0]?.value).toBeUndefined()
  expect(list.total).toBe('0')
})

test('a token that the gateway flags is spam', async () => {
  const { list } = await read([{ ...dollar, price: 0, flags: { is_spam: true } }, ether])
  expect(list.tokens.map(({ symbol, isSpam }) => [symbol, isSpam])).toEqual([
    ['ETH', false],
    ['USDC', true],
  ])
})

test('a list with missing networks or prices is partial', async () => {
  expect((await read([ether], { missing: ['balances'] })).list.isPartial).toBe(true)
  for (const missing of [[], 'all', undefined])
    expect((await read([ether], { missing })).list.isPartial).toBe(false)
})

test('a forced refresh names the account, so that the gateway reads the chain', async () => {
  const { kit, request, wallets } = await read([])
  await getTokens(kit, { refresh: true })
  expect(request.mock.lastCall?.[1]?.query).toEqual({
    currency: 'usd',
    forceUpdate: `eip155:1:${wallets.address(0)}`,
  })
})

describe('a gateway that lies', () => {
  test.each([
    ['§3.7.2 a token without decimals', { quantity: { decimals: '0', numeric: '1' } }],
    ['a network that the site does not have', { chainId: 'eip155:137' }],
    ['a negative balance', { quantity: { decimals: '18', numeric: '-1' } }],
    ['a balance with an exponent', { quantity: { decimals: '18', numeric: '1e9' } }],
    ['too many decimals', { quantity: { decimals: '2', numeric: '0.001' } }],
    ['decimals beyond 77', { quantity: { decimals: '78', numeric: '1' } }],
    ['decimals that are a number', { quantity: { decimals: 18, numeric: '1' } }],
    ['no quantity', { quantity: undefined }],
    ['no symbol', { symbol: '' }],
  ])('%s is left out', async (_, change) => {
    const { list } = await read([{ ...ether, ...change }, null, 7, dollar])
    expect(list.tokens.map(({ symbol }) => symbol)).toEqual(['USDC'])
  })

  test('a token that is listed twice, in any case of its address, counts once', async () => {
    const lower = `eip155:10:${usdc.toLowerCase()}`
    const { list } = await read([
      dollar,
      { ...dollar, price: 1_000 },
      { ...dollar, address: lower },
    ])
    expect(list.total).toBe('20000.000001')
  })

  test('spam needs a flag that is true', async () => {
    const { list } = await read([{ ...ether, flags: { is_spam: 'yes' } }])
    expect(list.tokens[0]?.isSpam).toBe(false)
  })

  test('a name is one line without invisible characters, and has a limited length', async () => {
    const name = `Claim\u202E\u0000 at\n<b>evil.example</b>${'x'.repeat(1_000)}`
    const { list } = await read([{ ...ether, name, symbol: 'E'.repeat(100) }])
    expect(list.tokens[0]?.name).toMatch(/^Claim at<b>evil\.example<\/b>x+$/)
    expect(list.tokens[0]?.name).toHaveLength(60)
    expect(list.tokens[0]?.symbol).toHaveLength(20)
  })

  test.each([
    '',
    'https://tracker.example/1.png',
    'javascript:alert(1)',
    'data:image/svg+xml,x',
    7,
  ])('a picture on another host is not requested (“%s”)', async (iconUrl) => {
    expect((await read([{ ...ether, iconUrl }])).list.tokens[0]?.image).toBeUndefined()
  })

  test('error: a response without a list', async () => {
    await expect(read('all of it')).rejects.toThrow('malformed list of balances')
  })
})

test('error: tokens need a gateway', async () => {
  const { kit, wallets } = start()
  await connect(kit, { connectorId: wallets.ids[0] })
  await expect(getTokens(kit)).rejects.toThrow('endpoints.gateway')
})
