import { describe, expect, test, vi } from 'vitest'
import { mainnet, optimism } from 'viem/chains'

import type { GatewayClient } from '../../features/GatewayClient.ts'
import { useKits } from '../../testing/useKits.ts'
import { GatewayError } from '../../kit/requestErrors.ts'
import { toyNetworks } from '../../testing/toyFamily.ts'
import type { Token } from '../tokens.ts'
import { findToken, getGasPrice, getPrices, getSwapTokens, withBalances } from './swapTokens.ts'

const { start } = useKits()

test('a token of the account that is not spam can be swapped, with its balance', () => {
  const { kit } = start({ networks: [mainnet, optimism] })
  const network = kit.getState().networks[0]!
  const token = (symbol: string, rest: Partial<Token> = {}): Token => ({
    id: `eip155:1:0x${symbol}`,
    network,
    address: `0x${symbol}`,
    name: symbol,
    symbol,
    decimals: 18,
    units: 0n,
    amount: '0',
    price: undefined,
    value: undefined,
    image: undefined,
    isSpam: false,
    ...rest,
  })
  const held = { units: 1n, amount: '0.000000000000000001' }
  const tokens = withBalances(
    [token('usdc'), token('weth')],
    [
      // Addresses are in checksum case or in lower case.
      { ...token('usdc', held), id: 'eip155:1:0xUSDC' },
      token('own', held),
      { ...token('far', held), network: kit.getState().networks[1]! },
      token('usdc2', { ...held, symbol: 'usdc', isSpam: true }),
    ],
    network,
  )
  expect(tokens.map(({ id, units }) => [id, units])).toEqual([
    ['eip155:1:0xusdc', 1n],
    ['eip155:1:0xweth', 0n],
    ['eip155:1:0xown', 1n],
  ])
})

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/** A site whose gateway responds with `body`. */
function site(body: object) {
  const request = vi.fn<GatewayClient['request']>(async () => ({ ...body }))
  const { kit } = start({ networks: [mainnet] }, { request, analyticsEnabled: async () => false })
  return { kit, request, network: kit.getState().networks[0]! }
}

describe('the tokens that can be swapped', () => {
  const listed = {
    address: `eip155:1:${usdc}`,
    name: 'USD Coin',
    symbol: 'USDC',
    decimals: 6,
    logoUri: 'https://gate.example/public/getTokenImage/USDC',
    eip2612: true,
  }
  const read = async (...tokens: unknown[]) => {
    const { kit, network } = site({ tokens })
    return getSwapTokens(kit, { network })
  }

  test('have no balance or price yet; the native currency has no address', async () => {
    const [dollar, ether] = await read(listed, {
      ...listed,
      address: `eip155:1:${native}`,
      symbol: 'ETH',
      decimals: 18,
      eip2612: undefined,
    })
    expect(dollar).toEqual({
      id: `eip155:1:${usdc}`,
      network: expect.objectContaining({ caipNetworkId: 'eip155:1' }),
      address: usdc,
      name: 'USD Coin',
      symbol: 'USDC',
      decimals: 6,
      units: 0n,
      amount: '0',
      price: undefined,
      value: undefined,
      image: listed.logoUri,
      isSpam: false,
      permit: true,
    })
    expect(ether).toMatchObject({ id: 'eip155:1', address: undefined, permit: false })
  })

  test('are requested for the network', async () => {
    const { kit, request, network } = site({ tokens: [] })
    const { signal } = new AbortController()
    await getSwapTokens(kit, { network, signal })
    expect(request.mock.calls).toEqual([
      ['/v1/convert/tokens', { query: { chainId: 'eip155:1' }, signal }],
    ])
  })

  test.each([
    ['of another network', { address: `eip155:10:${usdc}` }],
    ['without an address', { address: undefined }],
    ['with a malformed address', { address: usdc }],
    ['without a symbol', { symbol: '\u200b' }],
    ['with decimals that are text', { decimals: '6' }],
    ['with a fraction of decimals', { decimals: 1.5 }],
    ['with negative decimals', { decimals: -1 }],
    ['with too many decimals', { decimals: 78 }],
  ])('attack: a token %s is left out', async (_, change) => {
    expect(await read({ ...listed, ...change }, null, 7)).toEqual([])
  })

  test('can have from 0 to 77 decimals', async () => {
    for (const decimals of [0, 77]) expect(await read({ ...listed, decimals })).toHaveLength(1)
  })

  test('attack: a token that is listed twice counts once, and its picture is the gateway’s', async () => {
    const logoUri = 'https://tracker.example/1.png'
    const tokens = await read({ ...listed, logoUri, name: '' }, listed)
    expect(tokens).toMatchObject([{ image: undefined, name: 'USDC' }])
  })

  test('error: a response without a list', async () => {
    const { kit, network } = site({ tokens: 'all' })
    await expect(getSwapTokens(kit, { network })).rejects.toThrow('malformed list of tokens')
  })
})

test('a token is found by its id or else by its symbol, in any case', () => {
  const [a, b, c] = [
    { id: 'eip155:1:0xA', symbol: 'ONE' },
    { id: 'eip155:1:0xB', symbol: 'eip155:1:0xa' },
    { id: 'eip155:1:0xC', symbol: 'Two' },
  ] as Token[]
  const tokens = [b!, a!, c!]
  expect(findToken(tokens, 'EIP155:1:0xa')).toBe(a)
  expect(findToken(tokens, 'two')).toBe(c)
  expect(findToken(tokens, 'three')).toBeUndefined()
  expect(findToken(tokens, undefined)).toBeUndefined()
  expect(findToken([{ id: '', symbol: '' } as Token], '')).toBeUndefined()
})

describe('prices', () => {
  const tokenOf = (network: Token['network'], address?: string) =>
    ({ id: address ? `eip155:1:${address}` : 'eip155:1', network, address }) as Token

  test('are found by address in any case; tokens without a price are missing', async () => {
    const fungibles = [
      null,
      { address: 7, price: 5 },
      { address: `eip155:1:${usdc.toLowerCase()}`, price: 0.999 },
      { address: `eip155:1:${native}`, price: '3600' },
    ]
    const { kit, request, network } = site({ fungibles })
    const tokens = [tokenOf(network, usdc), tokenOf(network)]
    expect(await getPrices(kit, { tokens, currency: 'USD' })).toStrictEqual({
      [`eip155:1:${usdc.toLowerCase()}`]: '0.999',
    })
    expect(request.mock.calls).toEqual([
      [
        '/v1/fungible/price',
        {
          body: {
            currency: 'usd',
            addresses: [`eip155:1:${usdc}`, `eip155:1:${native.toLowerCase()}`],
          },
          signal: undefined,
        },
      ],
    ])
  })

  test('are missing if the gateway sends no list', async () => {
    const { kit, network } = site({ fungibles: 'none' })
    expect(await getPrices(kit, { tokens: [tokenOf(network, usdc)], currency: 'USD' })).toEqual({})
  })
})

describe('the price of gas', () => {
  test.each([
    [{ standard: '7', fast: '9' }, 9n],
    [{ standard: '7' }, 7n],
  ])('of %j is %s', async (body, price) => {
    const { kit, request, network } = site(body)
    expect(await getGasPrice(kit, { network })).toBe(price)
    expect(request.mock.lastCall?.[0]).toBe('/v1/convert/gas-price')
  })

  test.each([{}, { fast: 9 }, { fast: '0x9' }, { fast: '1'.repeat(79) }])(
    'attack: error: %j is not a price',
    async (body) => {
      const { kit, network } = site(body)
      await expect(getGasPrice(kit, { network })).rejects.toThrow(
        'The gateway sent a malformed gas price.',
      )
    },
  )
})

test('error: an aborted request is not a refusal of the network', async () => {
  const abort = new DOMException('Aborted.', 'AbortError')
  const { kit, request, network } = site({})
  request.mockRejectedValue(abort)
  await expect(getSwapTokens(kit, { network })).rejects.toBe(abort)
})

describe('error: a network without swaps has its own message', () => {
  test.each([
    ['§8.4/1', getSwapTokens, 'Network not supported for Swaps'],
    ['§8.4/2', getGasPrice, 'Network not supported for Gas Price'],
  ])('%s', async (_, read, message) => {
    const requested: unknown[] = []
    let status = 400
    const { kit } = start(
      { networks: [mainnet, ...toyNetworks] },
      {
        request(path, options) {
          requested.push(options?.query?.chainId)
          return Promise.reject(new GatewayError(`${path} is refused.`, { status }))
        },
      },
    )
    const [served, other] = kit.getState().networks
    await expect(read(kit, { network: served! })).rejects.toMatchObject({
      shortMessage: message,
      status: 400,
      details: expect.stringContaining('is refused.'),
    })
    await expect(read(kit, { network: other! })).rejects.toMatchObject({
      shortMessage: message,
      status: 400,
    })
    expect(requested).toEqual(['eip155:1'])
    status = 503
    await expect(read(kit, { network: served! })).rejects.toMatchObject({
      shortMessage: expect.stringContaining('is refused.'),
      status: 503,
    })
  })
})
