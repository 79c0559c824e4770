import { generateKeyPairSync } from 'node:crypto'
import type { OnrampQuoteResponse, OnrampUrlResponse } from '@gatefold/protocol/gateway'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Config } from '../../config.ts'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'
import { startVendor } from '../../testing/startVendor.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const { privateKey } = generateKeyPairSync('ed25519')

let meld: Awaited<ReturnType<typeof startVendor>>
let coinbase: Awaited<ReturnType<typeof startVendor>>
let now = Date.now()
beforeAll(async () => {
  ;[meld, coinbase] = await Promise.all([startVendor(), startVendor()])
})
afterAll(async () => {
  await Promise.all([meld?.stop(), coinbase?.stop()])
})
beforeEach(() => {
  now += 60_000
  meld.requests.length = 0
  coinbase.requests.length = 0
  coinbase.answers = {
    'GET /onramp/v1/buy/options': {
      payment_currencies: [{ id: 'USD', limits: [{ id: 'CARD', min: '5.00', max: '500.00' }] }],
      purchase_currencies: [
        {
          id: '1',
          name: 'USD Coin',
          symbol: 'USDC',
          networks: [{ name: 'ethereum', display_name: 'Ethereum', chain_id: '1' }],
        },
      ],
    },
    'POST /onramp/v1/token': { token: 'SESSION', channel_id: '' },
  }
})

/** What the visitor receives from each provider for 100 USD. */
function offer(amounts: { meld: number; coinbase: string }) {
  meld.answers['POST /payments/crypto/quote'] = { quotes: [{ destinationAmount: amounts.meld }] }
  coinbase.answers['POST /onramp/v1/buy/quote'] = {
    payment_total: { value: '100.00', currency: 'USD' },
    payment_subtotal: { value: '97.00', currency: 'USD' },
    purchase_amount: { value: amounts.coinbase, currency: 'USDC' },
    coinbase_fee: { value: '3.00', currency: 'USD' },
    network_fee: { value: '0.00', currency: 'USD' },
    quote_id: 'q',
  }
}

/** A server that sells at Meld and at Coinbase. */
const start = async (config: Partial<Config> = {}) =>
  createTestServer(
    ['money'],
    {
      onramp: {
        meld: {
          publicKey: 'public',
          apiKey: 'api secret',
          country: 'US',
          apiUrl: meld.url,
          widgetUrl: 'https://meldcrypto.com',
        },
        coinbase: {
          keyId: 'key 1',
          keySecret: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
          country: 'US',
          subdivision: 'NY',
          apiUrl: coinbase.url,
          payUrl: 'https://pay.coinbase.com',
        },
      },
      ...config,
    },
    { now: () => now },
  )

const quote = async (server: TestServer) => {
  const { status, body } = await server.json('/v1/onramp/quote', {
    method: 'POST',
    body: JSON.stringify({
      purchaseCurrency: { symbol: 'USDC' },
      paymentCurrency: { id: 'USD' },
      amount: '100',
    }),
  })
  return { status, body: body as OnrampQuoteResponse }
}

describe('quotes of two providers', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server?.stop())

  test.each([
    [{ meld: 97.25, coinbase: '96.9' }, ['meld', 'coinbase']],
    // As texts, these amounts have the other order.
    [{ meld: 97.25, coinbase: '100.5' }, ['coinbase', 'meld']],
  ])('§7.8.18 of %j, the one with the most tokens is the best', async (amounts, expected) => {
    offer(amounts)
    const { body } = await quote(server)
    expect(body.quotes.map(({ provider }) => provider)).toEqual(expected)
    const { quotes, reasons, ...best } = body
    expect(best).toEqual(quotes[0])
    expect(reasons).toEqual([])
    // An order without a quote has the terms of the best one.
    const { body: created } = await server.json('/v1/generators/onrampurl', {
      method: 'POST',
      body: JSON.stringify({
        destinationWallets: [{ address: account, assets: ['USDC'] }],
        presetFiatAmount: 100,
      }),
    })
    expect((created as OnrampUrlResponse).order.provider).toBe(expected[0])
  })
})

test.each([
  ['address', { ipRate: 1, ipBurst: 200 }],
  ['project', { projectRate: 1, projectBurst: 200 }],
])(
  'attack: a quote costs 50 tokens of the %s for each provider that is asked',
  async (_, config) => {
    offer({ meld: 97, coinbase: '97' })
    const server = await start(config)
    expect((await quote(server)).status).toBe(200)
    expect((await quote(server)).status).toBe(429)
    // The refused request reached no provider.
    const routes = [...meld.requests, ...coinbase.requests].map(({ route }) => route)
    expect(routes.filter((route) => route.endsWith('/quote'))).toHaveLength(2)
    await server.stop()
  },
)
