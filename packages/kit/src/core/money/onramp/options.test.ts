import { describe, expect, test, vi } from 'vitest'
import { mainnet, optimism } from 'viem/chains'

import type { GatewayClient } from '../../features/GatewayClient.ts'
import { useKits } from '../../testing/useKits.ts'
import { getOnrampOptions, isMoney } from './options.ts'

const { start } = useKits()

const dollar = {
  id: 'USD',
  payment_method_limits: [{ id: 'card', min: '10.00', max: '7500.00' }],
}
const ether = { symbol: 'ETH', name: 'Ether', networks: [{ chain_id: '1', contract_address: '' }] }

/** The options on Ethereum and Optimism that the kit reads from a gateway's response. */
async function read(change: object) {
  const request = vi.fn<GatewayClient['request']>(async () => ({
    paymentCurrencies: [dollar],
    purchaseCurrencies: [ether],
    providers: [],
    ...change,
  }))
  const { kit } = start(
    { networks: [mainnet, optimism] },
    { request, analyticsEnabled: async () => false },
  )
  const { signal } = new AbortController()
  const options = await getOnrampOptions(kit, { signal })
  expect(request.mock.calls).toEqual([['/v1/onramp/options', { signal }]])
  return options
}

describe('the currencies to pay with', () => {
  const readCurrencies = async (...paymentCurrencies: unknown[]) =>
    (await read({ paymentCurrencies })).currencies

  test('have their ways to pay; unknown ways are left out', async () => {
    const [card] = dollar.payment_method_limits
    const bank = { ...card, id: 'ach_bank_account' }
    const limits = [card, { ...card, id: 'cash' }, null, bank]
    expect(await readCurrencies({ ...dollar, payment_method_limits: limits })).toEqual([
      { code: 'USD', methods: [card, bank] },
    ])
  })

  test.each([
    ['a code that is not text', { id: ['USD'] }],
    ['a long code', { id: 'USDT' }],
    ['text before the code', { id: ' USD' }],
    ['no list of ways to pay', { payment_method_limits: 'all' }],
    ['no way to pay', { payment_method_limits: [] }],
    ['a malformed minimum', { payment_method_limits: [{ id: 'card', min: '1e3', max: '5' }] }],
    ['a malformed maximum', { payment_method_limits: [{ id: 'card', min: '5', max: 7 }] }],
  ])('attack: one with %s is left out', async (_, change) => {
    expect(await readCurrencies({ ...dollar, ...change })).toEqual([])
  })

  test('attack: at most 200 are read', async () => {
    expect(await readCurrencies(...Array.from({ length: 201 }, () => dollar))).toHaveLength(200)
  })
})

describe('the tokens to buy', () => {
  const readTokens = async (...purchaseCurrencies: unknown[]) =>
    (await read({ purchaseCurrencies })).tokens.map(({ id, name, symbol }) => [id, name, symbol])

  test('are listed once for each network of the site, with the symbol in place of a missing name', async () => {
    const networks = [
      { chain_id: '10', contract_address: '0xa' },
      { chain_id: '10', contract_address: '0xa' },
      { chain_id: '137', contract_address: '0xa' },
      { chain_id: '1', contract_address: 7 },
      null,
      { chain_id: '1', contract_address: '' },
    ]
    expect(await readTokens({ ...ether, name: '', networks })).toEqual([
      ['eip155:10:0xa', 'ETH', 'ETH'],
      ['eip155:1', 'ETH', 'ETH'],
    ])
  })

  test.each([
    ['no symbol', { symbol: '' }],
    ['a symbol with invisible characters', { symbol: 'E\u200bTH' }],
    ['a symbol that is longer than shown', { symbol: 'E'.repeat(21) }],
    ['no list of networks', { networks: {} }],
  ])('attack: one with %s is left out', async (_, change) => {
    expect(await readTokens({ ...ether, ...change })).toEqual([])
  })

  test('attack: at most 1,000 are read, on at most as many networks each', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => String(index))
    const onMainnet = (contract_address: string) => ({ chain_id: '1', contract_address })
    const tokens = many.map((address) => ({ ...ether, networks: [onMainnet(address)] }))
    expect(await readTokens(...tokens)).toHaveLength(1_000)
    expect(await readTokens({ ...ether, networks: many.map(onMainnet) })).toHaveLength(1_000)
  })
})

describe('the providers', () => {
  const readProviders = async (providers: unknown) => (await read({ providers })).providers

  test('are none if the gateway lists none', async () => {
    expect(await readProviders(undefined)).toEqual([])
    expect(await readProviders('all')).toEqual([])
  })

  test('attack: have short names, and at most 50 are read', async () => {
    const provider = { id: 'i'.repeat(41), name: 'n'.repeat(41) }
    const providers = await readProviders(Array.from({ length: 51 }, () => provider))
    expect(providers).toHaveLength(50)
    expect(providers[0]).toEqual({ id: 'i'.repeat(40), name: 'n'.repeat(40) })
  })
})

test.each([
  { paymentCurrencies: 'all' },
  { purchaseCurrencies: 'all' },
  { paymentCurrencies: undefined, purchaseCurrencies: undefined },
])('error: a response with %j is malformed', async (change) => {
  await expect(read(change)).rejects.toThrow('The gateway sent malformed on-ramp options.')
})

test.each([
  ['1', true],
  ['7500', true],
  ['1.2', true],
  ['1.23', true],
  ['1.2300', true],
  ['1'.repeat(12), true],
  ['1'.repeat(13), false],
  ['1.234', false],
  ['1.', false],
  ['.5', false],
  ['', false],
  ['1e3', false],
  ['-1', false],
  ['1 ', false],
  [1, false],
  [['1'], false],
])('%j is an amount of money: %s', (value, valid) => {
  expect(isMoney(value)).toBe(valid)
})
