import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addresses, chainData, startChain, type Chain } from '@gatefold/chain'
import { limits } from '@gatefold/protocol'
import {
  nativeTokenAddress,
  type BalanceResponse,
  type PriceHistoryResponse,
  type PriceResponse,
} from '@gatefold/protocol/gateway'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'
import { startVendor } from '../../testing/startVendor.ts'
import { createDefiLlamaSource } from './createDefiLlamaSource.ts'

const id = 'eip155:31337'
const ether = `${id}:${nativeTokenAddress}`
const usdc = `${id}:${addresses.usdc}`
const book = `${id}:${addresses.book}`
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** The service's ids of the tokens. */
const coins = {
  ether: `local:${addresses.weth.toLowerCase()}`,
  usdc: `local:${addresses.usdc.toLowerCase()}`,
  book: `local:${addresses.book.toLowerCase()}`,
}

let chain: Chain
let vendor: Awaited<ReturnType<typeof startVendor>>
let now = Date.now()
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
  vendor.requests.length = 0
  vendor.answers = {}
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

async function start(prices: object, more: Parameters<typeof createTestServer>[1] = {}) {
  const { prices: parsed } = readConfig({ GATEFOLD_PRICES: JSON.stringify(prices) })
  const config = { rpcUrls: { [id]: [chain.url] }, chains: chainData, prices: parsed, ...more }
  const server = await createTestServer(['money'], config, { now: () => now })
  servers.push(server)
  return server
}

const startLlama = async (url = vendor.url, sources = ['defillama']) =>
  start({ chains: { [id]: sources }, defillama: { url, chains: { [id]: 'local' } } })

async function read(server: TestServer, tokens: string[] = [ether]) {
  const answer = await server.json('/v1/fungible/price', {
    method: 'POST',
    body: JSON.stringify({ addresses: tokens }),
  })
  return { status: answer.status, body: answer.body as PriceResponse }
}
const priceOf = async (server: TestServer, token = ether) =>
  (await read(server, [token])).body.fungibles[0]!.price

const current = (price: unknown, more: object = {}) => ({
  price,
  symbol: 'ETH',
  decimals: 18,
  timestamp: Math.floor(now / 1000),
  confidence: 0.99,
  ...more,
})
/** The route of a request for prices. */
const route = (...tokens: string[]) => `GET /prices/current/${tokens.join(',')}`

describe('§7.8.7 prices of the operator', () => {
  test('apply to their tokens; the next source has the prices of the others', async () => {
    const server = await start({
      chains: { [id]: ['quotes', 'pools'] },
      quotes: { [`${id}:${addresses.book.toUpperCase().replace('0X', '0x')}`]: 7.25 },
    })
    expect(await priceOf(server, book)).toBe(7.25)
    expect(await priceOf(server)).toBeCloseTo(2750, -2)
  })

  test('have no history', async () => {
    const quotes = { [book]: 7.25 }
    const server = await start({ chains: { [id]: ['quotes', 'pools'] }, quotes })
    const { status, body } = await server.json(`/v1/fungible/history?address=${book}`)
    expect(status).toBe(200)
    expect(body).toEqual({ currency: 'USD', points: [] })
  })

  test.each([
    [{ chains: { [id]: ['coingecko'] } }],
    [{ chains: { [id]: ['pools', 'pools'] } }],
    [{ chains: { [id]: ['defillama'] } }],
    [{ chains: { 'eip155:5': ['defillama'] }, defillama: { url: 'https://coins.example' } }],
    [{ quotes: { [book]: 1 } }],
    [{ chains: { [id]: ['quotes'] }, quotes: { [book]: 0 } }],
    [{ chains: { [id]: ['quotes'] }, quotes: { BOOK: 1 } }],
    [{ defillama: { url: 'https://coins.example?key=1' } }],
    [{ defillama: { url: 'file:///etc/passwd' } }],
  ])('error: the setting %j is refused', (prices) => {
    expect(() => readConfig({ GATEFOLD_PRICES: JSON.stringify(prices) })).toThrow(
      'A setting is invalid.',
    )
  })
})

describe('§7.8.7 prices of a DefiLlama service', () => {
  test('are requested together, by address, once a minute', async () => {
    const server = await startLlama()
    const path = route(coins.ether, coins.usdc, coins.book)
    vendor.answers = {
      [path]: { coins: { [coins.ether]: current(2500.5), [coins.usdc]: current(0.999) } },
    }
    const { status, body } = await read(server, [ether, usdc, book])
    expect(status).toBe(200)
    expect(body.fungibles.map(({ price }) => price)).toEqual([2500.5, 0.999, 0])
    expect(body.missing).toBeUndefined()
    await read(server, [ether, usdc, book])
    expect(vendor.requests.map(({ route: sent, query }) => [sent, query])).toEqual([[path, {}]])
    vendor.answers = { [path]: { coins: { [coins.ether]: current(2600) } } }
    now += 60_001
    expect((await read(server, [ether, usdc, book])).body.fungibles[0]!.price).toBe(2600)
  })

  test('are requested for up to 50 tokens at once', async () => {
    const tokens = Array.from({ length: 60 }, (_, index) => ({
      address: `0x${String(index).padStart(40, '0')}` as const,
      name: 'Token',
      symbol: 'T',
      decimals: 18,
    }))
    const all = tokens.map(({ address }) => `local:${address}`)
    for (const some of [all.slice(0, 50), all.slice(50)])
      vendor.answers[route(...some)] = {
        coins: Object.fromEntries(some.map((coin) => [coin, current(2)])),
      }
    const llama = createDefiLlamaSource({ url: vendor.url, chains: { [id]: 'local' } }, () => now)
    const evmChain = {
      id,
      data: { ...chainData[id], tokens },
      client: undefined as never,
      reads: undefined as never,
    }
    const found = await Promise.all(
      tokens.map(async ({ address }) => llama.find(evmChain, address)),
    )
    expect(new Set(found)).toEqual(new Set([2]))
    expect(vendor.requests).toHaveLength(2)
  })

  test('are requested only if no earlier source has one', async () => {
    const server = await startLlama(vendor.url, ['pools', 'defillama'])
    expect(await priceOf(server)).toBeCloseTo(2750, -2)
    expect(vendor.requests).toEqual([])
  })

  test.each([
    ['429', 429],
    ['500', 500],
    ['no JSON', 'gone'],
    ['other fields', { prices: {} }],
  ])(
    'error: after %s, the next source decides, and the service gets no request for a while',
    async (_what, answer) => {
      const server = await startLlama(vendor.url, ['defillama', 'pools'])
      vendor.answers = { [route(coins.ether)]: answer }
      expect(await priceOf(server)).toBeCloseTo(2750, -2)
      expect(await priceOf(server)).toBeCloseTo(2750, -2)
      expect(vendor.requests).toHaveLength(1)
      vendor.answers = { [route(coins.ether)]: { coins: { [coins.ether]: current(2500) } } }
      now += 15_000
      expect(await priceOf(server)).toBe(2500)
    },
  )

  test('error: without another source, an earlier price is used for ten minutes, then it is missing', async () => {
    const server = await startLlama()
    vendor.answers = { [route(coins.ether)]: { coins: { [coins.ether]: current(2500) } } }
    await read(server)
    vendor.answers = { [route(coins.ether)]: 500 }
    now += 9 * 60_000
    expect(await priceOf(server)).toBe(2500)
    now += 60_001
    expect((await read(server)).body).toMatchObject({
      fungibles: [{ price: 0 }],
      missing: ['prices'],
    })
  })

  test('attack: a price that is invalid, uncertain or old is not used', async () => {
    const server = await startLlama()
    const lies = [
      current('2500'),
      current(-1),
      current(0),
      current(1e13),
      current(2500, { confidence: 0.4 }),
      current(2500, { timestamp: Math.floor(now / 1000) - 6 * 3600 - 1 }),
      { symbol: 'ETH' },
    ]
    for (const lie of lies) {
      vendor.answers = { [route(coins.ether)]: { coins: { [coins.ether]: lie } } }
      expect(await priceOf(server), JSON.stringify(lie)).toBe(0)
      now += 60_001
    }
    expect(vendor.requests).toHaveLength(lies.length)
  })

  test('attack: if a price is more than ten times the price in the pools, neither is used', async () => {
    const server = await startLlama(vendor.url, ['defillama', 'pools'])
    for (const [price, expected] of [
      [27_400_000, 0],
      [27, 0],
      [26_000, 26_000],
    ]) {
      vendor.answers = { [route(coins.ether)]: { coins: { [coins.ether]: current(price) } } }
      const { body } = await read(server)
      expect(body.fungibles[0]!.price).toBe(expected)
      expect(body.missing).toEqual(expected === 0 ? ['prices'] : undefined)
      now += 60_001
    }
  })

  test('attack: names, symbols and decimals of the service are not used', async () => {
    const server = await startLlama()
    vendor.answers = {
      [route(coins.book)]: {
        coins: {
          [coins.book]: current(5, { symbol: '<b>USDC</b>', name: '\u202Eevil', decimals: 0 }),
        },
      },
    }
    const { body } = await read(server, [book])
    expect(body.fungibles).toEqual([
      expect.objectContaining({ symbol: 'BOOK', decimals: 18, price: 5 }),
    ])
  })

  test('attack: prices of tokens outside the list are requested at a limited rate, which does not affect listed tokens', async () => {
    const unlisted = addresses.multicall3
    const settings = { url: vendor.url, chains: { [id]: 'local' } }
    const llama = createDefiLlamaSource(settings, () => now)
    const evmChain = {
      id,
      data: chainData[id],
      client: undefined as never,
      reads: undefined as never,
    }
    const at = (index: number) =>
      `${unlisted.slice(0, -4)}${String(index).padStart(4, '0')}` as `0x${string}`
    for (let index = 0; index < 60; index += 1) {
      const coin = `local:${at(index).toLowerCase()}`
      vendor.answers[route(coin)] = { coins: { [coin]: current(1) } }
    }
    vendor.answers[route(coins.ether)] = { coins: { [coins.ether]: current(2500) } }
    const results: boolean[] = []
    for (let index = 0; index < 60; index += 1)
      results.push(
        await llama.find(evmChain, at(index)).then(
          () => true,
          () => false,
        ),
      )
    expect(results.filter(Boolean)).toHaveLength(50)
    expect(vendor.requests).toHaveLength(50)
    expect(await llama.find(evmChain, nativeTokenAddress)).toBe(2500)
  })
})

describe('a hostile host of prices', () => {
  /** Starts a server that answers every request in one way. */
  async function startHost(answer: (request: { url: string }, response: ServerResponse) => void) {
    const requests: string[] = []
    const host = createServer((request, response) => {
      requests.push(request.url!)
      answer({ url: request.url! }, response)
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    const stop = async () => {
      host.closeAllConnections()
      await new Promise((resolve) => host.close(resolve))
    }
    return { url: `http://127.0.0.1:${(host.address() as AddressInfo).port}`, requests, stop }
  }

  test.each([
    ['600 KB', 600 * 1024],
    ['50 MB', 50 * 1024 * 1024],
  ])('attack: a response of %s is not read', async (_size, bytes) => {
    let sent = 0
    const host = await startHost((_request, response) => {
      const part = Buffer.alloc(64 * 1024, ' ')
      const send = () => {
        while (sent < bytes && !response.destroyed) {
          sent += part.length
          if (!response.write(part)) return void response.once('drain', send)
        }
        response.end(JSON.stringify({ coins: { [coins.ether]: current(2500) } }))
      }
      send()
    })
    const server = await startLlama(host.url)
    expect((await read(server)).body).toMatchObject({
      fungibles: [{ price: 0 }],
      missing: ['prices'],
    })
    // Beyond the server's limit, only the socket buffers accept data.
    expect(sent).toBeLessThan(25 * 1024 * 1024)
    await host.stop()
  })

  test('attack: a redirect to another host is not followed', async () => {
    const host = await startHost((_request, response) => {
      response.writeHead(302, { location: `${vendor.url}/prices/current/x` }).end()
    })
    const server = await startLlama(host.url)
    expect((await read(server)).body).toMatchObject({ missing: ['prices'] })
    expect(host.requests).toHaveLength(1)
    expect(vendor.requests).toEqual([])
    await host.stop()
  })

  test('attack: a host that does not respond delays balances only once, by its timeout', async () => {
    const host = await startHost(() => {})
    const server = await startLlama(host.url)
    const balances = async () => {
      const startedAt = performance.now()
      const { status, body } = await server.json(`/v1/account/${owner}/balance?chainId=${id}`)
      return { status, body: body as BalanceResponse, ms: performance.now() - startedAt }
    }
    const first = await balances()
    expect(first.status).toBe(200)
    expect(first.body.missing).toEqual(['prices'])
    expect(first.body.balances.map(({ symbol }) => symbol)).toContain('USDC')
    // The timeout is 3 s. Without it, the balances would wait for the prices until the deadline of their parts.
    expect(first.ms).toBeLessThan(limits.moneyPartsMs)
    const sent = host.requests.length
    expect((await balances()).body.missing).toEqual(['prices'])
    expect(host.requests).toHaveLength(sent)
    await host.stop()
  })
})

describe('the chart of a DefiLlama service', () => {
  const day = 24 * 3600
  const history = async (server: TestServer, query = '') => {
    const answer = await server.json(`/v1/fungible/history?address=${ether}${query}`)
    return { status: answer.status, body: answer.body as PriceHistoryResponse }
  }
  /** Points in steps of half an hour, up to an hour ago, in seconds. */
  const chart = (count = 47) => {
    const start = Math.floor(now / 1000) - day + 60
    return Array.from({ length: count }, (_, index) => ({
      timestamp: start + index * 1800,
      price: 2400 + index,
    }))
  }

  test('is the history, whose last point is the current price', async () => {
    const server = await startLlama()
    vendor.answers = {
      [route(coins.ether)]: { coins: { [coins.ether]: current(2500) } },
      [`GET /chart/${coins.ether}`]: { coins: { [coins.ether]: { prices: chart() } } },
    }
    const { status, body } = await history(server)
    expect(status).toBe(200)
    expect(body.currency).toBe('USD')
    expect(body.points).toHaveLength(48)
    expect(body.points[0]).toEqual([chart()[0]!.timestamp * 1000, 2400])
    expect(body.points.at(-1)).toEqual([now, 2500])
    const sent = vendor.requests.find(({ route: path }) => path.startsWith('GET /chart'))!
    expect(sent.query).toEqual({
      start: String(Math.floor(now / 1000) - day),
      span: '48',
      period: '30m',
    })
    vendor.requests.length = 0
    await history(server)
    expect(vendor.requests).toEqual([])
  })

  test.each([
    ['week', { span: '56', period: '3h' }],
    ['month', { span: '48', period: '15h' }],
  ])('is requested for a %s', async (period, query) => {
    const server = await startLlama()
    vendor.answers = { [route(coins.ether)]: { coins: { [coins.ether]: current(2500) } } }
    await history(server, `&period=${period}`)
    const sent = vendor.requests.find(({ route: path }) => path.startsWith('GET /chart'))!
    expect(sent.query).toMatchObject(query)
  })

  test('is empty if the service does not know the token', async () => {
    const server = await startLlama()
    vendor.answers = {
      [route(coins.ether)]: { coins: { [coins.ether]: current(2500) } },
      [`GET /chart/${coins.ether}`]: { coins: {} },
    }
    expect(await history(server)).toEqual({ status: 200, body: { currency: 'USD', points: [] } })
  })

  test('error: is refused with 503 if it cannot be read', async () => {
    const server = await startLlama()
    vendor.answers = {
      [route(coins.ether)]: { coins: { [coins.ether]: current(2500) } },
      [`GET /chart/${coins.ether}`]: 500,
    }
    expect((await history(server)).status).toBe(503)
  })

  test('attack: has at most 60 points, in order, within the period', async () => {
    const server = await startLlama()
    const point = (timestamp: unknown, price: unknown) => ({ timestamp, price })
    const seconds = Math.floor(now / 1000)
    const dense = Array.from({ length: 5_000 }, (_, index) =>
      point(seconds - 10_000 + index, 1 + index),
    )
    vendor.answers = {
      [route(coins.ether)]: { coins: { [coins.ether]: current(2500) } },
      [`GET /chart/${coins.ether}`]: {
        coins: {
          [coins.ether]: {
            prices: [
              point(seconds + 3600, 9),
              point(seconds - 2 * day, 9),
              point(seconds - 100, -1),
              point('now', 1),
              point(seconds - 100, 1e300),
              ...dense.toReversed(),
            ],
          },
        },
      },
    }
    const { points } = (await history(server)).body
    expect(points).toHaveLength(60)
    const times = points.map(([at]) => at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times[0]).toBeGreaterThan(now - day * 1000)
    expect(times.at(-1)).toBe(now)
    expect(Math.max(...points.map(([, price]) => price))).toBe(5000)
  })

  test.each([
    ['address=ETH', 'address'],
    [`address=${ether}&period=year`, 'period'],
    [`address=${ether}&currency=eur`, 'currency'],
    [`address=eip155:5:${nativeTokenAddress}`, 'address'],
    ['period=day', 'address'],
  ])('error: %s is refused with 400', async (query, field) => {
    const { status, body } = await (await startLlama()).json(`/v1/fungible/history?${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ reasons: [{ field }] })
  })

  test('attack: costs several tokens of the rate limits', async () => {
    const server = await start({}, { ipBurst: 6, ipRate: 1 })
    const path = '/v1/fungible/currencies'
    expect((await server.json(path)).status).toBe(200)
    expect((await server.json(path)).status).toBe(429)
  })
})
