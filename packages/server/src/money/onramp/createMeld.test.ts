import { createHmac } from 'node:crypto'
import type { OnrampOrder, OnrampUrlResponse } from '@gatefold/protocol/gateway'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findOrder } from '../../storage/onramp.ts'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'
import { startVendor } from '../../testing/startVendor.ts'
import { createMeld } from './createMeld.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const webhook = { url: 'https://gate.example/v1/onramp/webhooks/meld', secret: 'meld secret' }
/** Secrets that no response and no log may contain. */
const keys = { publicKey: 'public', apiKey: 'api secret' }

let meld: Awaited<ReturnType<typeof startVendor>>
let server: TestServer
let now = Date.now()
beforeAll(async () => {
  meld = await startVendor()
  const settings = {
    ...keys,
    webhook,
    country: 'DE',
    apiUrl: meld.url,
    widgetUrl: 'https://meldcrypto.com',
  }
  server = await createTestServer(['money'], { onramp: { meld: settings } }, { now: () => now })
})
afterAll(async () => {
  await server?.stop()
  await meld?.stop()
})
beforeEach(() => {
  meld.requests.length = 0
  now += 60_000
  meld.answers = {
    'POST /payments/crypto/quote': {
      quotes: [
        { serviceProvider: 'A', destinationAmount: 96.1, totalFee: 3.9, networkFee: 0.4 },
        { serviceProvider: 'B', destinationAmount: 97.25, totalFee: 2.75, networkFee: 0.25 },
      ],
    },
  }
})

const quote = async (more: object = {}) =>
  server.json('/v1/onramp/quote', {
    method: 'POST',
    body: JSON.stringify({
      purchaseCurrency: { symbol: 'USDC' },
      paymentCurrency: { id: 'USD' },
      amount: '100',
      ...more,
    }),
  })
const order = async (more: object = {}) => {
  const { body } = await server.json('/v1/generators/onrampurl', {
    method: 'POST',
    body: JSON.stringify({
      destinationWallets: [{ address: account, assets: ['USDC'] }],
      presetFiatAmount: 100,
      ...more,
    }),
  })
  return body as OnrampUrlResponse
}
const read = async (id: string) =>
  (await server.json(`/v1/onramp/orders/${id}`)).body as OnrampOrder

/** Sends a webhook as Meld does. */
async function send(
  event: { eventId: string; orderId: string; transactionId?: string },
  change: { at?: number; secret?: string; body?: (text: string) => string } = {},
) {
  const { eventId, orderId, transactionId = 'W9k9Tg12BFk1i68WpQYQY8' } = event
  const text = JSON.stringify({
    eventType: 'TRANSACTION_CRYPTO_COMPLETE',
    eventId,
    payload: { externalSessionId: orderId, paymentTransactionId: transactionId },
  })
  const timestamp = new Date(change.at ?? now).toISOString()
  const signature = createHmac('sha256', change.secret ?? webhook.secret)
    .update(`${timestamp}.${webhook.url}.${text}`)
    .digest('base64url')
  const response = await server.send('/v1/onramp/webhooks/meld', {
    method: 'POST',
    headers: { 'meld-signature': `${signature}=`, 'meld-signature-timestamp': timestamp },
    body: change.body?.(text) ?? text,
  })
  return response.status
}
const answer = (id: string, transaction: object) => {
  meld.answers['GET /payments/transactions/W9k9Tg12BFk1i68WpQYQY8'] = {
    transaction: { externalSessionId: id, ...transaction },
  }
}

describe('Meld', () => {
  test('§3.12.3 §5.5.2 §7.8.17 §9.5 lists the currencies and limits that official clients know', async () => {
    const { body } = await server.json('/v1/onramp/options')
    expect(body).toMatchObject({
      paymentCurrencies: [
        {
          id: 'USD',
          payment_method_limits: [
            { id: 'card', min: '10.00', max: '7500.00' },
            { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
          ],
        },
        { id: 'EUR' },
      ],
      providers: [{ id: 'meld', name: 'Meld' }],
    })
  })

  test('§7.8.18 quotes what the best of its on-ramps offers', async () => {
    const { body } = await quote()
    expect(body).toMatchObject({
      paymentTotal: { amount: '100.00', currency: 'USD' },
      paymentSubtotal: { amount: '97.25', currency: 'USD' },
      fee: { amount: '2.50', currency: 'USD' },
      networkFee: { amount: '0.25', currency: 'USD' },
      purchaseAmount: { amount: '97.25', currency: 'USDC' },
    })
    expect(meld.requests[0]).toMatchObject({
      headers: { authorization: 'BASIC api secret' },
      body: {
        countryCode: 'DE',
        sourceCurrencyCode: 'USD',
        sourceAmount: 100,
        destinationCurrencyCode: 'USDC',
        paymentMethodType: 'CREDIT_DEBIT_CARD',
      },
    })
  })

  test.each([
    [{ quotes: [] }, 400, 'Meld does not sell USDC for this amount'],
    [400, 400, 'Meld does not sell USDC for this amount'],
    [500, 503, 'Meld did not respond'],
    [{ quotes: [{ destinationAmount: 'much' }] }, 503, 'Meld did not respond'],
    [{ quotes: [{ destinationAmount: 1, totalFee: 101 }] }, 503, 'Meld did not respond'],
  ])('error: the answer %j to a quote', async (found, status, description) => {
    meld.answers['POST /payments/crypto/quote'] = found
    expect(await quote()).toMatchObject({
      status,
      body: { reasons: [{ field: 'meld', description }] },
    })
  })

  test('§7.10 §7.8.16 leads to its widget with the key, the token, the account and the project', async () => {
    const { url, order: created } = await order({ returnUrl: 'http://localhost:3000/buy' })
    const { origin, searchParams } = new URL(url)
    expect(origin).toBe('https://meldcrypto.com')
    expect(Object.fromEntries(searchParams)).toEqual({
      publicKey: 'public',
      destinationCurrencyCode: 'USDC',
      walletAddress: account,
      externalCustomerId: 'default',
      externalSessionId: created.id,
      sourceAmount: '100.00',
      sourceCurrencyCode: 'USD',
      countryCode: 'DE',
      paymentMethodType: 'CREDIT_DEBIT_CARD',
      redirectUrl: 'http://localhost:3000/buy',
    })
    const address = 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z'
    const sol = await order({ destinationWallets: [{ address, assets: ['SOL'] }] })
    expect(new URL(sol.url).searchParams.get('destinationCurrencyCode')).toBe('SOL')
    expect(new URL(sol.url).searchParams.get('walletAddress')).toBe(address)
  })

  test('reports the outcome of an order after a webhook', async () => {
    const { order: created } = await order()
    answer(created.id, { status: 'SETTLING' })
    expect(await send({ eventId: 'e1', orderId: created.id })).toBe(200)
    expect((await read(created.id)).status).toBe('pending')
    answer(created.id, {
      status: 'SETTLED',
      destinationAmount: 97.1,
      cryptoDetails: { blockchainTransactionId: '0xabc' },
    })
    expect(await send({ eventId: 'e2', orderId: created.id })).toBe(200)
    expect(await read(created.id)).toMatchObject({
      status: 'paid',
      purchaseAmount: { amount: '97.25', currency: 'USDC' },
      receivedAmount: { amount: '97.1', currency: 'USDC' },
      transactionHash: '0xabc',
    })
    answer(created.id, { status: 'FAILED' })
    await send({ eventId: 'e3', orderId: created.id })
    expect((await read(created.id)).status).toBe('paid')
  })

  test('reports a declined payment, and one that is late', async () => {
    const { order: created } = await order()
    answer(created.id, { status: 'DECLINED' })
    await send({ eventId: 'd1', orderId: created.id })
    expect(await read(created.id)).toMatchObject({
      status: 'failed',
      reason: 'The payment was declined.',
    })
    const late = await order()
    now += 31 * 60_000
    expect((await read(late.order.id)).status).toBe('expired')
    answer(late.order.id, { status: 'SETTLED', destinationAmount: 97 })
    await send({ eventId: 'd2', orderId: late.order.id })
    expect((await read(late.order.id)).status).toBe('paid')
  })

  test('requests the status of an unfinished order at most every five seconds', async () => {
    const { order: created } = await order()
    answer(created.id, { status: 'SETTLING' })
    await send({ eventId: 'p1', orderId: created.id })
    meld.requests.length = 0
    await Promise.all([read(created.id), read(created.id), read(created.id)])
    expect(meld.requests).toHaveLength(1)
    now += 5_000
    await read(created.id)
    expect(meld.requests).toHaveLength(2)
  })

  test('error: a webhook that cannot be checked with Meld can be sent again', async () => {
    const { order: created } = await order()
    meld.answers['GET /payments/transactions/W9k9Tg12BFk1i68WpQYQY8'] = 500
    expect(await send({ eventId: 'r1', orderId: created.id })).toBe(503)
    answer(created.id, { status: 'SETTLED', destinationAmount: 97 })
    expect(await send({ eventId: 'r1', orderId: created.id })).toBe(200)
    // Not read from the gateway, which would ask Meld itself.
    expect(await findOrder(server.context.storage.db, created.id)).toMatchObject({
      status: 'paid',
      receivedAmount: '97',
    })
  })

  test('accepts the signature in Meld’s documentation', () => {
    const example = createMeld({
      ...keys,
      webhook: {
        url: 'https://example.meld.io/webhooks',
        secret: '42m4NMLS34WQ6BbMfo1KFKqMv4hy',
      },
      country: 'US',
      apiUrl: '',
      widgetUrl: '',
    })
    const headers: Record<string, string> = {
      'meld-signature': 'O4bN5E0U9s88l2DFc0kjt-0w3LLA3Zkv8hXhafc22Hg=',
      'meld-signature-timestamp': '2022-05-26T20:25:17.682818Z',
    }
    const body = Buffer.from(
      '{"eventType":"WEBHOOK_TEST","eventId":"GDtv8pQgwzc9HuFFBQFrww","timestamp":"2022-05-26T20:23:45.908400Z","accountId":"W9jpQc1HKvwscqMPcLmzUS","profileId":null,"version":"2021-10-27","payload":{"requestId":"7aWW1GXTjWCCtNubzvVX7V"}}',
    )
    const header = (name: string) => headers[name]
    const time = Date.parse('2022-05-26T20:26:00Z')
    expect(example.readWebhook!({ header, body, now: time })).toMatchObject({
      id: 'GDtv8pQgwzc9HuFFBQFrww',
    })
  })

  test('attack: a forged or changed webhook has no effect', async () => {
    const { order: created } = await order()
    answer(created.id, { status: 'SETTLED', destinationAmount: 97 })
    const event = { eventId: 'f1', orderId: created.id }
    expect(await send(event, { secret: 'guess' })).toBe(401)
    expect(await send(event, { body: (text) => text.replace('f1', 'f2') })).toBe(401)
    expect(await send(event, { secret: '', body: () => 'not JSON' })).toBe(401)
    expect((await read(created.id)).status).toBe('created')
  })

  test('attack: an old webhook is refused, and a repeated one has no effect', async () => {
    const { order: created } = await order()
    answer(created.id, { status: 'SETTLING' })
    const event = { eventId: 'o1', orderId: created.id }
    expect(await send(event, { at: now - 5 * 60_000 - 1 })).toBe(401)
    expect(await send(event, { at: now + 5 * 60_000 + 1 })).toBe(401)
    meld.requests.length = 0
    expect(await send(event)).toBe(200)
    expect(await send(event)).toBe(200)
    expect(meld.requests).toHaveLength(1)
  })

  test('attack: the transaction of one order does not pay another', async () => {
    const [mine, other] = [await order(), await order()]
    answer(other.order.id, { status: 'SETTLED', destinationAmount: 97 })
    expect(await send({ eventId: 'm1', orderId: mine.order.id })).toBe(200)
    expect((await read(mine.order.id)).status).toBe('created')
  })
})
