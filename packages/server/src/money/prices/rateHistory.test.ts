import { addresses, chainData, startChain, type Chain } from '@gatefold/chain'
import { nativeTokenAddress, type PriceHistoryResponse } from '@gatefold/protocol/gateway'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'
import { createRates } from './createRates.ts'
import { startVendor } from '../../testing/startVendor.ts'

const id = 'eip155:31337'
const coin = `local:${addresses.weth.toLowerCase()}`
const noon = Date.parse('2026-03-03T12:00:00Z')
const at = (day: string) => Date.parse(`${day}T15:00:00Z`)

/** The days of the price history. The price is 2,000 dollars on each of them, and 2,500 dollars now. */
const days = ['2026-02-13', '2026-02-15', '2026-02-27', '2026-03-02'] as const
const latest = 'GET /v1/latest'
const range = 'GET /v1/2026-01-25..'

let chain: Chain
let vendor: Awaited<ReturnType<typeof startVendor>>
let now = noon
const servers: TestServer[] = []
beforeAll(async () => {
  chain = await startChain()
  vendor = await startVendor()
})
afterAll(async () => {
  await vendor?.stop()
  await chain?.stop()
})
beforeEach(() => {
  now = noon
  vendor.requests.length = 0
  const price = { price: 2_500, symbol: 'ETH', decimals: 18, confidence: 0.99 }
  const prices = days.map((day) => ({ timestamp: at(day) / 1000, price: 2_000 }))
  vendor.answers = {
    [`GET /prices/current/${coin}`]: { coins: { [coin]: { ...price, timestamp: noon / 1000 } } },
    [`GET /chart/${coin}`]: { coins: { [coin]: { prices } } },
    [latest]: { base: 'USD', date: '2026-03-03', rates: { EUR: 0.9, GBP: 0.75 } },
    // The service has no rates for weekends: 2026-02-14 and 15.
    [range]: {
      base: 'USD',
      rates: {
        '2026-02-12': { EUR: 0.7, GBP: 0.7 },
        '2026-02-13': { EUR: 0.8 },
        '2026-02-27': { EUR: 0.85 },
        '2026-03-02': { EUR: 0.88 },
      },
    },
  }
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

async function start() {
  const { exchangeRates, prices } = readConfig({
    GATEFOLD_PRICES: JSON.stringify({
      chains: { [id]: ['defillama'] },
      defillama: { url: vendor.url, chains: { [id]: 'local' } },
    }),
    GATEFOLD_EXCHANGE_RATES: JSON.stringify({
      fixed: { CHF: 0.5 },
      frankfurter: { url: `${vendor.url}/v1`, currencies: ['EUR', 'GBP'] },
    }),
  })
  const config = { rpcUrls: { [id]: [chain.url] }, chains: chainData, exchangeRates, prices }
  const server = await createTestServer(['money'], config, { now: () => now })
  servers.push(server)
  return async (currency: string) => {
    const query = `address=${id}:${nativeTokenAddress}&period=month&currency=${currency}`
    const { body } = await server.json(`/v1/fungible/history?${query}`)
    return body as PriceHistoryResponse
  }
}
const requested = (route: string) => vendor.requests.filter((sent) => sent.route === route)
const inEuros = (rates: number[], rate = 0.9) => [
  ...rates.map((one, index) => [at(days[index]!), 2_000 * one]),
  [noon, 2_500 * rate],
]

describe('a price history in another currency', () => {
  test('converts each price with the rate of its day, or of the day before a weekend, and the current price with the current rate', async () => {
    const history = await start()
    expect(await history('eur')).toEqual({
      currency: 'EUR',
      rates: 'daily',
      points: inEuros([0.8, 0.8, 0.85, 0.88]),
    })
    expect(requested(range).map(({ query }) => query)).toEqual([
      { base: 'USD', symbols: 'EUR,GBP' },
    ])
  })

  test('of one day has its rate, also for a fixed one, and none from before the first', async () => {
    const frankfurter = { url: `${vendor.url}/v1`, currencies: ['EUR', 'GBP'] }
    const rates = createRates({ fixed: { CHF: 0.5 }, frankfurter }, () => now)
    expect(await rates.findAt('EUR', at('2026-02-15'))).toBe(0.8)
    expect(await rates.findAt('EUR', at('2026-02-11'))).toBeUndefined()
    expect(await rates.findAt('GBP', at('2026-03-02'))).toBeUndefined()
    expect(await rates.findAt('CHF', at('2026-02-11'))).toBe(0.5)
    expect(await rates.findAt('USD', at('2026-02-11'))).toBe(1)
  })

  test('reads the rates of days once an hour for all currencies and tokens', async () => {
    const history = await start()
    await Promise.all([history('eur'), history('gbp'), history('eur')])
    now += 59 * 60_000
    await history('eur')
    expect(requested(range)).toHaveLength(1)
    now += 60_001
    await history('eur')
    expect(requested(range)).toHaveLength(2)
  })

  test('in dollars has no rates', async () => {
    const { points, ...rest } = await (await start())('usd')
    expect(rest).toEqual({ currency: 'USD' })
    expect(points).toEqual([...days.map((day) => [at(day), 2_000]), [noon, 2_500]])
    expect(requested(range)).toEqual([])
  })

  test('with a fixed rate reports that all prices are converted with the current rate', async () => {
    expect(await (await start())('chf')).toEqual({
      currency: 'CHF',
      rates: 'current',
      points: inEuros([0.5, 0.5, 0.5, 0.5], 0.5),
    })
  })

  test('whose rates have a gap of more than a week reports that all prices are converted with the current rate', async () => {
    const history = await start()
    expect(await history('gbp')).toEqual({
      currency: 'GBP',
      rates: 'current',
      points: inEuros([0.75, 0.75, 0.75, 0.75], 0.75),
    })
  })

  test.each<[string, unknown]>([
    ['has no rates', 404],
    ['fails', 500],
    ['returns rates of another currency', { base: 'EUR', rates: { '2026-02-12': { EUR: 0.8 } } }],
    ['returns impossible rates', { base: 'USD', rates: { '2026-02-27': { EUR: 1e12 } } }],
    ['returns no dates', { base: 'USD', rates: { today: { EUR: 0.8 } } }],
  ])(
    'error: if the service %s, all prices are converted with the current rate, and current prices are still available',
    async (_, answer) => {
      vendor.answers[range] = answer
      expect(await (await start())('eur')).toEqual({
        currency: 'EUR',
        rates: 'current',
        points: inEuros([0.9, 0.9, 0.9, 0.9]),
      })
    },
  )
})
