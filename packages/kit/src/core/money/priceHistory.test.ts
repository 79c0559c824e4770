import { expect, test, vi } from 'vitest'
import { mainnet } from 'viem/chains'

import type { GatewayClient } from '../features/GatewayClient.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import { useKits } from '../testing/useKits.ts'
import { getPriceHistory } from './priceHistory.ts'

const { start } = useKits()

/** A kit whose gateway answers requests for price histories with `answer`. */
function site(answer: () => object, currency = 'USD') {
  const request = vi.fn<GatewayClient['request']>(async (path) =>
    path === '/v1/fungible/currencies' ? { currencies: ['USD', 'EUR'] } : { ...answer() },
  )
  const { kit } = start(
    { networks: [mainnet], currency },
    { request, analyticsEnabled: async () => false },
  )
  const ether = { network: kit.getState().networks[0]!, address: undefined }
  return { request, history: () => getPriceHistory(kit, { token: ether, period: 'week' }) }
}

test('the prices of the native currency in the visitor’s currency, oldest first', async () => {
  const points = [
    [1_000, 2_500.5],
    [2_000, 2_600],
  ]
  const { request, history } = site(() => ({ currency: 'EUR', points, rates: 'daily' }), 'EUR')
  expect(await history()).toEqual({
    currency: 'EUR',
    rates: 'daily',
    points: [
      { time: 1_000, price: 2_500.5 },
      { time: 2_000, price: 2_600 },
    ],
  })
  expect(request.mock.lastCall).toMatchObject([
    '/v1/fungible/history',
    {
      query: {
        address: 'eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
        currency: 'eur',
        period: 'week',
      },
    },
  ])
})

test('attack: points that are not a time with a price, out of order, repeated or too many', async () => {
  const points = [
    [3_000, 3],
    [1_000, 1],
    [1_000, 9],
    [2_000, -2],
    [2_000, 0],
    [2_000, Infinity],
    [2_000, '2'],
    [null, 2],
    ['1', 2],
    [],
    null,
    7,
    { 0: 2_000, 1: 2 },
    ...Array.from({ length: 100 }, (_, index) => [4_000 + index, 4]),
  ]
  const { history } = site(() => ({ currency: 'USD', points }))
  const read = (await history())!.points
  expect(read.slice(0, 3)).toEqual([
    { time: 1_000, price: 1 },
    { time: 3_000, price: 3 },
    { time: 4_000, price: 4 },
  ])
  expect(read.length).toBeLessThanOrEqual(60)
})

test.each<[string, unknown, string | undefined]>([
  ['EUR', 'daily', 'daily'],
  ['EUR', 'current', 'current'],
  // An older gateway, without this path.
  ['EUR', undefined, 'current'],
  ['EUR', 'other', 'current'],
  ['USD', undefined, undefined],
])(
  'the exchange rates of prices in %s, if the gateway says %s: %s',
  async (currency, rates, read) => {
    const { history } = site(() => ({ currency, points: [], rates }), currency)
    expect((await history())!.rates).toBe(read)
  },
)

test('undefined, if the gateway has no such path', async () => {
  const { history } = site(() => {
    throw new GatewayError('No such path.', { status: 404 })
  })
  expect(await history()).toBeUndefined()
})

test('error: a failure of the gateway is passed on', async () => {
  const error = new GatewayError('Down.', { status: 503 })
  const { history } = site(() => {
    throw error
  })
  await expect(history()).rejects.toBe(error)
})

test.each([
  ['another currency', { currency: 'EUR', points: [] }],
  ['no currency', { points: [] }],
  ['no list', { currency: 'USD', points: {} }],
])('error: a response with %s', async (_, body) => {
  await expect(site(() => body).history()).rejects.toThrow('malformed price history')
})
