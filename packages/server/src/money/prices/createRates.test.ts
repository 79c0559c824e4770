import { accounts, addresses, chainData, startChain, type Chain } from '@gatefold/chain'
import {
  nativeTokenAddress,
  type BalanceResponse,
  type PriceResponse,
} from '@gatefold/protocol/gateway'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'
import { startVendor } from '../../testing/startVendor.ts'

const id = 'eip155:31337'
const usdc = `${id}:${addresses.usdc}`
const [mira] = accounts

let chain: Chain
let frankfurter: Awaited<ReturnType<typeof startVendor>>
let now = Date.parse('2026-03-03T12:00:00Z')
const servers: TestServer[] = []
beforeAll(async () => {
  chain = await startChain()
  frankfurter = await startVendor()
})
afterAll(async () => {
  await frankfurter?.stop()
  await chain?.stop()
})
beforeEach(() => {
  frankfurter.requests.length = 0
  answer('2026-03-03', { EUR: 0.85, GBP: 0.75 })
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

function answer(date: string, rates: object, more: object = {}) {
  frankfurter.answers = { 'GET /v1/latest': { amount: 1, base: 'USD', date, rates, ...more } }
}

async function start(rates: object) {
  const { exchangeRates } = readConfig({ GATEFOLD_EXCHANGE_RATES: JSON.stringify(rates) })
  const config = { rpcUrls: { [id]: [chain.url] }, chains: chainData, exchangeRates }
  const server = await createTestServer(['money'], config, { now: () => now })
  servers.push(server)
  return server
}
const startFrankfurter = async (currencies = ['EUR', 'GBP']) =>
  start({ frankfurter: { url: `${frankfurter.url}/v1/`, currencies } })

async function priceIn(server: TestServer, currency: string) {
  const response = await server.json('/v1/fungible/price', {
    method: 'POST',
    body: JSON.stringify({ currency, addresses: [usdc] }),
  })
  return { status: response.status, body: response.body as PriceResponse }
}
const read = async (server: TestServer, currency: string) => {
  const path = `/v1/account/${mira.address}/balance?chainId=${id}&currency=${currency}`
  return (await server.json(path)).body as BalanceResponse
}

describe('§7.8.7 currencies', () => {
  test('are listed, the US dollar first', async () => {
    const server = await start({
      fixed: { CHF: 0.9, AED: 3.6725 },
      frankfurter: { url: frankfurter.url, currencies: ['EUR', 'CHF'] },
    })
    expect((await server.json('/v1/fungible/currencies')).body).toEqual({
      currencies: ['USD', 'AED', 'CHF', 'EUR'],
    })
    expect((await (await start({})).json('/v1/fungible/currencies')).body).toEqual({
      currencies: ['USD'],
    })
  })

  test('apply to prices, in any case of the code', async () => {
    const server = await start({ fixed: { EUR: 0.85 } })
    for (const currency of ['eur', 'EUR'])
      expect((await priceIn(server, currency)).body.fungibles[0]!.price).toBe(0.85)
    expect((await priceIn(server, 'usd')).body.fungibles[0]!.price).toBe(1)
  })

  test('§3.7.1 apply to the prices and values of balances', async () => {
    const server = await startFrankfurter()
    const [dollars, euros] = [await read(server, 'usd'), await read(server, 'eur')]
    for (const [index, { price, value, quantity }] of euros.balances.entries()) {
      expect(price).toBeCloseTo(dollars.balances[index]!.price * 0.85, 8)
      expect(value).toBeCloseTo(Number(quantity.numeric) * price, 2)
    }
    expect(euros.missing).toBeUndefined()
    const query = { base: 'USD', symbols: 'EUR,GBP' }
    expect(frankfurter.requests.map((sent) => sent.query)).toEqual([query])
  })

  test('error: an unknown one is refused with a 400 that names the supported ones', async () => {
    const server = await start({ fixed: { EUR: 0.85 } })
    const description = 'currency: JPY is not supported; supported currencies: USD, EUR'
    const expected = { status: 'FAILED', reasons: [{ field: 'currency', description }] }
    expect(await priceIn(server, 'jpy')).toMatchObject({ status: 400, body: expected })
    const path = `/v1/account/${mira.address}/balance?currency=jpy`
    expect(await server.json(path)).toMatchObject({ status: 400, body: expected })
    const query = `address=${id}:${nativeTokenAddress}&currency=jpy`
    expect(await server.json(`/v1/fungible/history?${query}`)).toMatchObject({
      status: 400,
      body: expected,
    })
  })

  test.each([
    [{ fixed: { USD: 1 } }],
    [{ fixed: { eur: 1 } }],
    [{ fixed: { EUR: 0 } }],
    [{ frankfurter: { currencies: ['EUR'] } }],
    [{ frankfurter: { url: 'https://rates.example', currencies: [] } }],
  ])('error: the setting %j is refused', (rates) => {
    expect(() => readConfig({ GATEFOLD_EXCHANGE_RATES: JSON.stringify(rates) })).toThrow(
      'A setting is invalid.',
    )
  })
})

describe('exchange rates of a Frankfurter service', () => {
  test('are requested once an hour for all currencies', async () => {
    const server = await startFrankfurter()
    await Promise.all([priceIn(server, 'EUR'), priceIn(server, 'GBP'), priceIn(server, 'EUR')])
    now += 59 * 60_000
    await priceIn(server, 'EUR')
    expect(frankfurter.requests).toHaveLength(1)
    answer('2026-03-03', { EUR: 0.9 })
    now += 60_001
    await priceIn(server, 'EUR')
    await expect.poll(async () => (await priceIn(server, 'EUR')).body.fungibles[0]!.price).toBe(0.9)
    expect(frankfurter.requests).toHaveLength(2)
  })

  test('error: while the service fails, known rates are used until they are a week old', async () => {
    now = Date.parse('2026-03-03T12:00:00Z')
    const server = await startFrankfurter()
    await priceIn(server, 'EUR')
    frankfurter.answers = {}
    now = Date.parse('2026-03-10T00:00:00Z')
    expect((await priceIn(server, 'EUR')).body.fungibles[0]!.price).toBe(0.85)
    now += 15_001
    const { status, body } = await priceIn(server, 'EUR')
    expect(status).toBe(200)
    expect(body).toMatchObject({ fungibles: [{ price: 0 }], missing: ['prices'] })
    const balances = await read(server, 'EUR')
    expect(balances.missing).toEqual(['prices'])
    expect(balances.balances.length).toBeGreaterThan(0)
    for (const balance of balances.balances) {
      expect(balance.price).toBe(0)
      expect(balance).not.toHaveProperty('value')
    }
    expect((await read(server, 'USD')).missing).toBeUndefined()
  })

  test('attack: old, other and impossible rates are not used', async () => {
    now = Date.parse('2026-03-03T12:00:00Z')
    for (const [date, rates, more] of [
      ['2026-02-24', { EUR: 0.85 }, {}],
      ['2026-03-03', { EUR: 0.85 }, { base: 'EUR' }],
      ['2026-03-03', { EUR: '0.85' }, {}],
      ['2026-03-03', { EUR: 0 }, {}],
      ['2026-03-03', { EUR: 1e10 }, {}],
      ['2026-03-03', { GBP: 0.75 }, {}],
      ['tomorrow', { EUR: 0.85 }, {}],
    ] as const) {
      answer(date, rates, more)
      const { body } = await priceIn(await startFrankfurter(), 'EUR')
      expect(body, JSON.stringify([date, rates, more])).toMatchObject({
        fungibles: [{ price: 0 }],
        missing: ['prices'],
      })
    }
  })

  test('attack: a rate that is dated in the future is not used for longer', async () => {
    now = Date.parse('2026-03-03T12:00:00Z')
    answer('2030-01-01', { EUR: 0.85 })
    const server = await startFrankfurter()
    expect((await priceIn(server, 'EUR')).body.fungibles[0]!.price).toBe(0.85)
    frankfurter.answers = {}
    now += 7 * 24 * 60 * 60_000 + 1
    expect((await priceIn(server, 'EUR')).body.missing).toEqual(['prices'])
  })
})
