import { describe, expect, test, vi } from 'vitest'
import { mainnet } from 'viem/chains'

import { connect } from '../connection/connect.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import { OptionsError } from '../kit/kitErrors.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import { memoryStorage } from '../storage/storage.ts'
import { useKits } from '../testing/useKits.ts'
import { getCurrencies, setShowsSmall } from './currency.ts'
import { setCurrency } from './setCurrency.ts'
import { getTokens, isSmall } from './tokens.ts'
import type { Token } from './tokens.ts'

const { start } = useKits()

const notServed = () => {
  throw new GatewayError('The path does not exist.', { status: 404 })
}
const eth = {
  name: 'Ether',
  symbol: 'ETH',
  chainId: 'eip155:1',
  price: 2,
  quantity: { decimals: '18', numeric: '3' },
}

/** A kit whose gateway lists currencies as `currencies` does. Records the currencies of requests for balances. */
async function site(
  currencies: () => object,
  options: NonNullable<Parameters<typeof start>[0]> = {},
) {
  const asked: (string | undefined)[] = []
  const request = vi.fn<GatewayClient['request']>(async (path, parameters) => {
    if (path === '/v1/fungible/currencies') return { ...currencies() }
    asked.push(parameters?.query?.currency)
    return { balances: [eth] }
  })
  const started = start(
    { networks: [mainnet], ...options },
    { request, analyticsEnabled: async () => false },
  )
  await connect(started.kit, { connectorId: started.wallets.ids[0] })
  return { ...started, request, asked }
}

test('prices are in US dollars by default, without a request for the list of currencies', async () => {
  const { kit, request, asked } = await site(notServed)
  expect(await getTokens(kit)).toMatchObject({ currency: 'USD', total: '6' })
  expect(asked).toEqual(['usd'])
  expect(request).toHaveBeenCalledTimes(1)
})

test('prices are in the currency of the site, or in the one that the visitor chose', async () => {
  const currencies = vi.fn<() => object>(() => ({ currencies: ['USD', 'EUR', 'JPY'] }))
  const { kit, asked } = await site(currencies, { currency: 'EUR' })
  expect((await getTokens(kit)).currency).toBe('EUR')
  setCurrency(kit, 'JPY')
  expect((await getTokens(kit)).currency).toBe('JPY')
  expect(asked).toEqual(['eur', 'jpy'])
  expect(currencies).toHaveBeenCalledTimes(1)
})

test('choosing a currency keeps the other choice of the visitor', async () => {
  const { kit } = await site(notServed)
  setShowsSmall(kit, true)
  setCurrency(kit, 'JPY')
  expect(kit.getState().preferences).toEqual({ currency: 'JPY', showsSmall: true })
})

test('if the gateway does not have the currency, amounts are shown in US dollars', async () => {
  for (const currencies of [notServed, () => ({ currencies: ['GBP'] }), () => ({})]) {
    const { kit, asked } = await site(currencies, { currency: 'EUR' })
    expect((await getTokens(kit)).currency).toBe('USD')
    expect(asked).toEqual(['usd'])
    expect(kit.getState().preferences.currency).toBe('USD')
  }
})

test('error: if the list cannot be read, no amount is shown in a wrong currency', async () => {
  let fails = true
  const { kit, asked } = await site(
    () => {
      if (fails) throw new GatewayError('Down.', { status: 503 })
      return { currencies: ['EUR'] }
    },
    { currency: 'EUR' },
  )
  await expect(getTokens(kit)).rejects.toThrow('Down.')
  expect(asked).toEqual([])
  fails = false
  expect((await getTokens(kit)).currency).toBe('EUR')
})

test('attack: entries of the list that are not codes are left out', async () => {
  const { kit } = await site(() => ({
    currencies: ['EUR', 'EUR', 'eur', '<b>', 7, null, 'DOLLAR', { toString: () => 'JPY' }],
  }))
  expect(await getCurrencies(kit)).toEqual(['USD', 'EUR'])
})

test('attack: of a list, 300 entries are read', async () => {
  const letter = (index: number) => String.fromCharCode(65 + index)
  const codes = Array.from(
    { length: 301 },
    (_, index) => `X${letter(Math.floor(index / 26))}${letter(index % 26)}`,
  )
  const { kit } = await site(() => ({ currencies: codes }))
  expect(await getCurrencies(kit)).toEqual(['USD', ...codes.slice(0, 300)])
})

test('a currency of a single request does not change the visitor’s choice', async () => {
  const { kit, asked } = await site(() => ({ currencies: ['EUR'] }), { currency: 'EUR' })
  expect((await getTokens(kit, { currency: 'GBP' })).currency).toBe('USD')
  expect(asked).toEqual(['usd'])
  expect(kit.getState().preferences.currency).toBe('EUR')
})

describe('the visitor’s choices', () => {
  test('are stored, and take precedence over the option', async () => {
    const storage = memoryStorage()
    const first = await site(notServed, { storage, currency: 'EUR' })
    setCurrency(first.kit, 'GBP')
    setShowsSmall(first.kit, true)
    const second = start({ networks: [mainnet], storage, currency: 'EUR' })
    expect(second.kit.getState().preferences).toEqual({ currency: 'GBP', showsSmall: true })
  })

  test('are kept if the wallet is not reconnected, and with ssr are read after hydration', async () => {
    const storage = memoryStorage()
    setCurrency((await site(notServed, { storage })).kit, 'GBP')
    const { kit } = start({ networks: [mainnet], storage, enableReconnect: false })
    expect(kit.getState().preferences.currency).toBe('GBP')
    const rendered = start({ networks: [mainnet], storage, ssr: true })
    expect(rendered.kit.getState().preferences.currency).toBe('USD')
    await rendered.kit.ready()
    expect(rendered.kit.getState().preferences.currency).toBe('GBP')
  })

  test('error: a currency that is not an ISO 4217 code', async () => {
    const { kit } = await site(notServed)
    expect(() => setCurrency(kit, 'euro')).toThrow(OptionsError)
    expect(kit.getState().preferences.currency).toBe('USD')
  })
})

test.each([
  ['0.99', 'eip155:1:0xa', true],
  ['1', 'eip155:1:0xa', false],
  ['0.01', 'eip155:10', true],
  ['0.01', 'eip155:1', false],
  [undefined, 'eip155:1:0xa', false],
])('a balance worth %s of %s, with Ethereum active, is small: %s', (value, id, small) => {
  expect(isSmall({ id, value } as Token, 'eip155:1')).toBe(small)
})
