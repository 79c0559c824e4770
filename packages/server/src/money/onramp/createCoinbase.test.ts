import { createHmac, generateKeyPairSync } from 'node:crypto'
import type { OnrampOrder, OnrampUrlResponse } from '@gatefold/protocol/gateway'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'
import { startVendor } from '../../testing/startVendor.ts'
import { createCoinbase } from './createCoinbase.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const webhookSecret = 'coinbase secret'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const jwk = privateKey.export({ format: 'jwk' })
const keySecret = Buffer.concat([
  Buffer.from(jwk.d!, 'base64url'),
  Buffer.from(jwk.x!, 'base64url'),
]).toString('base64')
const place = { country: 'US', subdivision: 'NY' }

let coinbase: Awaited<ReturnType<typeof startVendor>>
let server: TestServer
let now = Date.now()
beforeAll(async () => {
  coinbase = await startVendor()
  const settings = {
    keyId: 'key 1',
    keySecret,
    webhookSecret,
    ...place,
    apiUrl: coinbase.url,
    payUrl: 'https://pay.coinbase.com',
  }
  server = await createTestServer(['money'], { onramp: { coinbase: settings } }, { now: () => now })
})
afterAll(async () => {
  await server?.stop()
  await coinbase?.stop()
})
beforeEach(() => {
  now += 2 * 60 * 60_000
  coinbase.requests.length = 0
  coinbase.answers = {
    'GET /onramp/v1/buy/options': {
      payment_currencies: [
        {
          id: 'USD',
          limits: [
            { id: 'CARD', min: '5.00', max: '500.00' },
            { id: 'APPLE_PAY', min: '5.00', max: '500.00' },
          ],
        },
        { id: 'XXX', limits: [{ id: 'CRYPTO_ACCOUNT', min: '0', max: '1' }] },
      ],
      purchase_currencies: [
        {
          id: 'd85dce9b-5b73-5c3c-8978-522ce1d1c1b4',
          name: 'Ethereum',
          symbol: 'ETH',
          networks: [
            { name: 'base', display_name: 'Base', chain_id: '8453', contract_address: '' },
            { name: 'bitcoin', display_name: 'Bitcoin', chain_id: '0', contract_address: '' },
          ],
        },
        { id: 'b', name: 'Bitcoin', symbol: 'BTC', networks: [] },
      ],
    },
    'POST /onramp/v1/buy/quote': {
      payment_total: { value: '100.00', currency: 'USD' },
      payment_subtotal: { value: '96.52', currency: 'USD' },
      purchase_amount: { value: '0.035098', currency: 'ETH' },
      coinbase_fee: { value: '3.46', currency: 'USD' },
      network_fee: { value: '0.015', currency: 'USD' },
      quote_id: 'q',
    },
    'POST /onramp/v1/token': { token: 'SESSION', channel_id: '' },
  }
})

const order = async (more: object = {}) => {
  const { body } = await server.json('/v1/generators/onrampurl', {
    method: 'POST',
    body: JSON.stringify({
      destinationWallets: [{ address: account, assets: ['ETH'] }],
      presetFiatAmount: 100,
      ...more,
    }),
  })
  return body as OnrampUrlResponse
}
const read = async (id: string) =>
  (await server.json(`/v1/onramp/orders/${id}`)).body as OnrampOrder
const answer = (id: string, transaction: object) => {
  const route = `GET /onramp/v1/buy/user/${id}/transactions`
  coinbase.answers[route] = { transactions: [transaction], total_count: '1' }
}

/** Sends a webhook as Coinbase does. */
async function send(
  orderId: string,
  change: { at?: number; secret?: string; id?: string; sentId?: string; names?: string } = {},
) {
  const { at = now, secret = webhookSecret, id = 'event 1' } = change
  const text = JSON.stringify({
    eventType: 'onramp.transaction.success',
    partnerUserRef: orderId,
    status: 'ONRAMP_TRANSACTION_STATUS_SUCCESS',
  })
  const seconds = Math.floor(at / 1000)
  const names = change.names ?? 'content-type x-event-id'
  const values = names
    .split(' ')
    .map((name) => ({ 'content-type': 'application/json', 'x-event-id': id })[name] ?? '')
  const v1 = createHmac('sha256', secret)
    .update(`${seconds}.${names}.${values.join('.')}.${text}`)
    .digest('hex')
  const response = await server.send('/v1/onramp/webhooks/coinbase', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-event-id': change.sentId ?? id,
      'x-hook0-signature': `t=${seconds},v0=00,h=${names},v1=${v1}`,
    },
    body: text,
  })
  return response.status
}

describe('Coinbase', () => {
  test('§7.8.17 lists its tokens on EVM chains and Solana, and its limits', async () => {
    const { body } = await server.json('/v1/onramp/options')
    expect(body).toEqual({
      paymentCurrencies: [
        { id: 'USD', payment_method_limits: [{ id: 'card', min: '5.00', max: '500.00' }] },
      ],
      purchaseCurrencies: [
        {
          id: 'ETH',
          name: 'Ethereum',
          symbol: 'ETH',
          networks: [
            { name: 'base', display_name: 'Base', chain_id: '8453', contract_address: '' },
          ],
        },
      ],
      providers: [{ id: 'coinbase', name: 'Coinbase' }],
    })
    await server.json('/v1/onramp/options')
    expect(coinbase.requests).toHaveLength(1)
    expect(coinbase.requests[0]!.query).toEqual(place)
  })

  test('§7.8.18 quotes with its fees', async () => {
    const { body } = await server.json('/v1/onramp/quote', {
      method: 'POST',
      body: JSON.stringify({
        purchaseCurrency: { symbol: 'ETH' },
        paymentCurrency: { id: 'USD' },
        amount: '100',
      }),
    })
    expect(body).toMatchObject({
      fee: { amount: '3.46' },
      networkFee: { amount: '0.02' },
      purchaseAmount: { amount: '0.035098', currency: 'ETH' },
      chainId: 'eip155:8453',
    })
    expect(coinbase.requests[1]!.body).toEqual({
      purchaseCurrency: 'ETH',
      purchaseNetwork: 'base',
      paymentAmount: '100.00',
      paymentCurrency: 'USD',
      paymentMethod: 'CARD',
      ...place,
    })
  })

  test('every request has a token for its method and path only', async () => {
    await order()
    for (const { route, headers } of coinbase.requests) {
      const token = headers.authorization!.replace('Bearer ', '')
      const options = { issuer: 'cdp', subject: 'key 1', currentDate: new Date(now) }
      const { payload, protectedHeader } = await jwtVerify(token, publicKey, options)
      expect(payload['uris']).toEqual([route.replace(' ', ` ${new URL(coinbase.url).host}`)])
      expect(payload.exp! - payload.nbf!).toBe(120)
      expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: 'key 1' })
    }
    expect(coinbase.requests).toHaveLength(3)
  })

  test('§7.8.16 leads to its page with a session for the account', async () => {
    const { url, order: created } = await order({ returnUrl: 'http://localhost:3000/' })
    expect(coinbase.requests.at(-1)).toMatchObject({
      route: 'POST /onramp/v1/token',
      body: {
        addresses: [{ address: account, blockchains: ['base'] }],
        assets: ['ETH'],
        clientIp: '192.0.2.1',
      },
    })
    expect(new URL(url).origin).toBe('https://pay.coinbase.com')
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      sessionToken: 'SESSION',
      defaultAsset: 'ETH',
      defaultNetwork: 'base',
      presetFiatAmount: '100.00',
      fiatCurrency: 'USD',
      partnerUserRef: created.id,
      redirectUrl: 'http://localhost:3000/',
    })
    expect(url).not.toContain(account)
  })

  test('sends an address of a client that has an IPv6 network', async () => {
    const { status } = await server.json('/v1/generators/onrampurl', {
      method: 'POST',
      body: JSON.stringify({
        destinationWallets: [{ address: account, assets: ['ETH'] }],
        presetFiatAmount: 100,
      }),
      address: '2001:db8:1:2:3:4:5:6',
    })
    expect(status).toBe(200)
    expect(coinbase.requests.at(-1)).toMatchObject({
      route: 'POST /onramp/v1/token',
      body: { clientIp: '2001:db8:1:2::' },
    })
  })

  test('error: without a session there is no order', async () => {
    coinbase.answers['POST /onramp/v1/token'] = 500
    expect(await order()).toMatchObject({ reasons: [{ description: 'Coinbase did not respond' }] })
    const { db } = server.context.storage
    const rows = await db
      .selectFrom('onramp_orders')
      .select('id')
      .where('due_at', '=', now)
      .execute()
    expect(rows).toEqual([])
  })

  test('reports the outcome of an order, with or without a webhook', async () => {
    const { order: created } = await order()
    expect((await read(created.id)).status).toBe('created')
    answer(created.id, { status: 'ONRAMP_TRANSACTION_STATUS_IN_PROGRESS' })
    now += 5_000
    expect((await read(created.id)).status).toBe('pending')
    answer(created.id, {
      status: 'ONRAMP_TRANSACTION_STATUS_SUCCESS',
      purchase_amount: { value: '0.0351', currency: 'ETH' },
      tx_hash: '0xdef',
    })
    expect(await send(created.id)).toBe(200)
    expect(await read(created.id)).toMatchObject({
      status: 'paid',
      receivedAmount: { amount: '0.0351', currency: 'ETH' },
      transactionHash: '0xdef',
    })
  })

  test('attack: a forged, old, changed or repeated webhook has no effect', async () => {
    const { order: created } = await order()
    coinbase.requests.length = 0
    expect(await send(created.id, { secret: 'guess' })).toBe(401)
    expect(await send(created.id, { at: now - 301_000 })).toBe(401)
    expect(await send(created.id, { at: now + 301_000 })).toBe(401)
    // Another event id, so that a repeated webhook would look new.
    expect(await send(created.id, { sentId: 'event 2' })).toBe(401)
    expect(await send(created.id, { names: 'content-type', sentId: 'event 2' })).toBe(401)
    expect(coinbase.requests).toEqual([])
    answer(created.id, { status: 'ONRAMP_TRANSACTION_STATUS_IN_PROGRESS' })
    expect(await send(created.id, { id: 'event 3' })).toBe(200)
    expect(await send(created.id, { id: 'event 3' })).toBe(200)
    expect(coinbase.requests).toHaveLength(1)
  })

  test('accepts an ES256 key, and names neither of the wrong ones in its error', () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = pair.privateKey.export({ format: 'pem', type: 'sec1' }) as string
    const settings = { keyId: 'k', apiUrl: '', payUrl: '', country: 'US' }
    createCoinbase({ ...settings, keySecret: pem.replaceAll('\n', '\\n') }, Date.now)
    const wrong = () => createCoinbase({ ...settings, keySecret: 'c2VjcmV0' }, Date.now)
    expect(wrong).toThrow('coinbase.keySecret in GATEFOLD_ONRAMP is neither')
    expect(wrong).not.toThrow('c2VjcmV0')
  })
})
