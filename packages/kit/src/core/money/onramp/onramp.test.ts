import { beforeEach, describe, expect, test, vi } from 'vitest'
import { mainnet, optimism } from 'viem/chains'

import { connect } from '../../connection/connect.ts'
import type { GatewayClient } from '../../features/GatewayClient.ts'
import { GatewayError, NotConnectedError } from '../../kit/requestErrors.ts'
import { memoryStorage } from '../../storage/storage.ts'
import { useKits } from '../../testing/useKits.ts'
import { followOrder } from './followOrder.ts'
import { createOnrampOrder, getOnrampOrder, getOnrampOrders, getOnrampQuotes } from './onramp.ts'
import { getOnrampOptions } from './options.ts'
import type { OnrampToken } from './options.ts'
import { addOrder, forgetOrder, readOrders } from './orders.ts'

const { start } = useKits()
beforeEach(() => vi.stubGlobal('localStorage', memoryStorage()))

const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const lower = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const orderId = 'AbCdEfGhIjKlMnOpQrStUv'
const payUrl = 'https://pay.example/order'

const options = {
  paymentCurrencies: [
    { id: 'USD', payment_method_limits: [{ id: 'card', min: '10.00', max: '7500.00' }] },
  ],
  purchaseCurrencies: [
    {
      id: 'ETH',
      name: 'Ether',
      symbol: 'ETH',
      networks: [
        { name: 'ethereum', display_name: 'Ethereum', chain_id: '1', contract_address: '' },
        { name: 'base', display_name: 'Base', chain_id: '8453', contract_address: '' },
      ],
    },
    {
      id: 'USDC',
      name: 'USD Coin',
      symbol: 'USDC',
      networks: [{ name: 'optimism', display_name: 'OP', chain_id: '10', contract_address: usdc }],
    },
  ],
  providers: [{ id: 'toll', name: 'Tollhouse' }],
}
const quote = {
  quoteId: 'terms.signature',
  provider: 'toll',
  providerName: 'Tollhouse',
  paymentTotal: { amount: '250.00', currency: 'USD' },
  paymentSubtotal: { amount: '246.60', currency: 'USD' },
  fee: { amount: '3.00', currency: 'USD' },
  networkFee: { amount: '0.40', currency: 'USD' },
  purchaseAmount: { amount: '0.0685', currency: 'ETH' },
  chainId: 'eip155:1',
  expiresAt: '2026-11-24T10:00:00.000Z',
}

type Answers = {
  options?: unknown
  quote?: object | GatewayError
  url?: unknown
  order?: object
}

/** A connected site whose gateway responds with `answers`. */
async function open(answers: Answers = {}) {
  const request = vi.fn<GatewayClient['request']>(async (path) => {
    switch (path) {
      case '/v1/onramp/options':
        return (answers.options ?? options) as Record<string, unknown>
      case '/v1/onramp/quote':
        if (answers.quote instanceof GatewayError) throw answers.quote
        return { ...quote, quotes: [{ ...quote, ...answers.quote }], reasons: [] }
      case '/v1/generators/onrampurl':
        return { url: 'url' in answers ? answers.url : payUrl, order: orderOf() }
      default:
        return orderOf()
    }
  })
  const site = start(
    { networks: [mainnet, optimism] },
    { request, analyticsEnabled: async () => false },
  )
  await connect(site.kit, { connectorId: site.wallets.ids[0] })
  const account = site.wallets.address(0)
  const orderOf = () => ({
    id: orderId,
    status: 'created',
    provider: 'toll',
    providerName: 'Tollhouse',
    account: `eip155:1:${account}`,
    paymentTotal: quote.paymentTotal,
    fee: quote.fee,
    networkFee: quote.networkFee,
    purchaseAmount: quote.purchaseAmount,
    url: payUrl,
    createdAt: '2026-11-24T10:00:00.000Z',
    updatedAt: '2026-11-24T10:00:00.000Z',
    expiresAt: '2026-11-24T10:30:00.000Z',
    ...answers.order,
  })
  const ether: OnrampToken = {
    id: 'eip155:1',
    network: site.kit.getState().networks[0]!,
    name: 'Ether',
    symbol: 'ETH',
  }
  const wish = { token: ether, currency: 'USD', amount: '250', method: 'card' } as const
  const order = async () => {
    const { quotes } = await getOnrampQuotes(site.kit, wish)
    return createOnrampOrder(site.kit, { quote: quotes[0]! })
  }
  return { ...site, request, account, wish, order }
}

describe('options', () => {
  test('§7.8.17 the currencies, and the tokens on the site’s networks', async () => {
    const { kit } = await open()
    const { currencies, tokens, providers } = await getOnrampOptions(kit)
    expect(currencies).toEqual([
      { code: 'USD', methods: [{ id: 'card', min: '10.00', max: '7500.00' }] },
    ])
    expect(tokens.map(({ id, symbol, network }) => [id, symbol, network.name])).toEqual([
      ['eip155:1', 'ETH', 'Ethereum'],
      [`eip155:10:${usdc}`, 'USDC', 'OP Mainnet'],
    ])
    expect(providers).toEqual([{ id: 'toll', name: 'Tollhouse' }])
  })

  test('error: malformed entries are left out, a malformed response is an error', async () => {
    const { kit, request } = await open({
      options: {
        paymentCurrencies: [
          null,
          { id: 'dollars', payment_method_limits: [] },
          { id: 'EUR', payment_method_limits: [{ id: 'card', min: '1e3', max: 7 }] },
        ],
        purchaseCurrencies: [7, { symbol: 'E\u202eTH', networks: [] }, { symbol: 'X' }],
      },
    })
    expect(await getOnrampOptions(kit)).toEqual({ currencies: [], tokens: [], providers: [] })
    request.mockResolvedValueOnce({})
    await expect(getOnrampOptions(kit)).rejects.toThrow(GatewayError)
  })
})

describe('quotes', () => {
  test('§7.8.18 name the provider, what is received, and all fees', async () => {
    const { kit, request, wish } = await open()
    const { quotes, refusals } = await getOnrampQuotes(kit, wish)
    expect(quotes).toEqual([
      {
        ...wish,
        id: 'terms.signature',
        provider: 'toll',
        providerName: 'Tollhouse',
        fee: '3.4',
        receives: '0.0685',
      },
    ])
    expect(refusals).toEqual([])
    expect(request.mock.calls.at(-1)?.[1]?.body).toEqual({
      purchaseCurrency: { symbol: 'ETH' },
      paymentCurrency: { id: 'USD' },
      amount: '250',
      network: 'ETH',
      chainId: 'eip155:1',
      paymentMethod: 'card',
    })
  })

  test.each<[string, object]>([
    ['network', { chainId: 'eip155:10' }],
    ['token', { purchaseAmount: { amount: '1', currency: 'MOSS' } }],
    ['currency', { paymentTotal: { amount: '250.00', currency: 'EUR' } }],
    ['payment', { paymentTotal: { amount: '250.01', currency: 'USD' } }],
    ['form of amount', { purchaseAmount: { amount: '1e3', currency: 'ETH' } }],
  ])('attack: a quote for another %s is left out', async (_, change) => {
    const { kit, wish } = await open({ quote: change })
    expect((await getOnrampQuotes(kit, wish)).quotes).toEqual([])
  })

  test.each<[string, object]>([
    ['no id', { quoteId: 7 }],
    ['an id that is too long', { quoteId: 'q'.repeat(2_001) }],
    ['no provider', { provider: undefined }],
    ['no payment', { paymentTotal: null }],
    [
      'a payment with more decimals than money has',
      { paymentTotal: { amount: '250.001', currency: 'USD' } },
    ],
    ['a currency that is not text', { purchaseAmount: { amount: '1', currency: ['ETH'] } }],
    ['an amount that is not text', { purchaseAmount: { amount: 1, currency: 'ETH' } }],
    ['text before the amount', { purchaseAmount: { amount: ' 1', currency: 'ETH' } }],
    ['an amount that is too long', { purchaseAmount: { amount: '1'.repeat(61), currency: 'ETH' } }],
    ['too many decimals', { purchaseAmount: { amount: `0.${'1'.repeat(61)}`, currency: 'ETH' } }],
  ])('attack: a quote with %s is left out', async (_, change) => {
    const { kit, wish } = await open({ quote: change })
    expect((await getOnrampQuotes(kit, wish)).quotes).toEqual([])
  })

  test('may lack fees and the provider’s name', async () => {
    const { kit, wish } = await open({
      quote: { quoteId: 'q'.repeat(2_000), fee: undefined, networkFee: null, providerName: '' },
    })
    expect((await getOnrampQuotes(kit, wish)).quotes).toMatchObject([
      { fee: '0', providerName: 'toll' },
    ])
  })

  test('of an older gateway is the response itself', async () => {
    const { kit, request, wish } = await open()
    request.mockResolvedValueOnce({ ...quote })
    const { quotes, refusals } = await getOnrampQuotes(kit, wish)
    expect(quotes).toMatchObject([{ id: 'terms.signature' }])
    expect(refusals).toEqual([])
  })

  test('attack: of 51 providers, 50 are read; texts of refusals are short', async () => {
    const { kit, request, wish } = await open()
    const reason = { field: 'f'.repeat(41), code: 7, description: 'd'.repeat(201) }
    request.mockResolvedValueOnce({
      quotes: Array.from({ length: 51 }, () => quote),
      reasons: Array.from({ length: 51 }, () => reason),
    })
    const { quotes, refusals } = await getOnrampQuotes(kit, wish)
    expect([quotes.length, refusals.length]).toEqual([50, 50])
    expect(refusals[0]).toEqual({
      provider: 'f'.repeat(40),
      code: undefined,
      description: 'd'.repeat(200),
    })
  })

  test.each([
    new GatewayError('Down.', { status: 503 }),
    new DOMException('Aborted.', 'AbortError'),
  ])('error: the failure %s is passed on', async (error) => {
    const { kit, request, wish } = await open()
    request.mockRejectedValueOnce(error)
    await expect(getOnrampQuotes(kit, wish)).rejects.toBe(error)
  })

  test('error: if no provider has one, the result has the gateway’s reason', async () => {
    const { kit, wish } = await open({
      quote: new GatewayError('too little', {
        status: 400,
        field: 'toll',
        reason: 'amount_out_of_range',
      }),
    })
    expect(await getOnrampQuotes(kit, wish)).toEqual({
      quotes: [],
      refusals: [{ provider: 'toll', code: 'amount_out_of_range', description: 'too little' }],
    })
  })
})

describe('an order', () => {
  test('§7.8.16 is created for the active account, and remembered until its outcome was seen', async () => {
    const { kit, request, account, order } = await open()
    const { id, url } = await order()
    expect([id, url]).toEqual([orderId, payUrl])
    expect(request.mock.calls.at(-1)?.[1]?.body).toEqual({
      destinationWallets: [{ address: account }],
      quoteId: 'terms.signature',
    })
    expect(getOnrampOrders(kit)).toEqual([orderId])
    expect(localStorage.getItem('gatefold.onramp.p1')).toBe(
      JSON.stringify([{ id: orderId, account: `eip155:1:${account}` }]),
    )
    addOrder(kit, { id: 'another-order', account: `eip155:1:${account}` })
    forgetOrder(kit, orderId)
    expect(getOnrampOrders(kit)).toEqual(['another-order'])
  })

  test('of another account, or of another project, is not listed', async () => {
    const { kit, account } = await open()
    addOrder(kit, { id: orderId, account: `eip155:1:${other}` })
    localStorage.setItem(
      'gatefold.onramp.p2',
      JSON.stringify([{ id: 'BBBBBBBBBB', account: `eip155:1:${account}` }]),
    )
    expect(getOnrampOrders(kit)).toEqual([])
  })

  test('is not listed without a connected account', async () => {
    const { kit, wallets, order } = await open()
    await order()
    wallets.emit({ type: 'disconnected', connectorId: wallets.ids[0] })
    expect(getOnrampOrders(kit)).toEqual([])
  })

  test('at most five are remembered; an altered list is ignored', async () => {
    const { kit } = await open()
    for (const digit of '1234567')
      addOrder(kit, { id: `order-00${digit}`, account: `eip155:1:${other}` })
    expect(readOrders(kit).map(({ id }) => id)).toEqual(
      ['7', '6', '5', '4', '3'].map((digit) => `order-00${digit}`),
    )
    const key = 'gatefold.onramp.p1'
    const stored = JSON.parse(localStorage.getItem(key)!) as object[]
    expect(stored).toHaveLength(5)
    localStorage.setItem(key, JSON.stringify([...stored, ...stored]))
    expect(readOrders(kit)).toHaveLength(5)
    for (const altered of [
      '[{"id":12345678,"account":"x"}]',
      '[{"id":"a/bbbbbbbb","account":"x"}]',
      '[{"id":"bbbbbbbb/a","account":"x"}]',
      '[{"id":"bbbbbbbb","account":7}]',
      '[{"id":"../../evil","account":"x"},7]',
      '{}',
      'null',
      '{',
    ]) {
      localStorage.setItem(key, altered)
      expect(readOrders(kit)).toEqual([])
    }
  })

  test('of a site without a project is remembered too', () => {
    const { kit, wallets } = start()
    const order = { id: orderId, account: `eip155:1:${wallets.address(0)}` }
    addOrder(kit, order)
    expect(localStorage.getItem('gatefold.onramp')).toBe(JSON.stringify([order]))
  })

  test.each([
    ['a list', [payUrl]],
    ['a script', 'javascript:alert(1)'],
    ['a local file', 'file:///etc/passwd'],
    ['nothing', undefined],
  ])('attack: a page that is %s is not opened', async (_, url) => {
    const { kit, order } = await open({ url })
    await expect(order()).rejects.toThrow('an order that differs from the request')
    expect(getOnrampOrders(kit)).toEqual([])
  })

  test('attack: an order for another account is refused', async () => {
    const { order } = await open({ order: { account: `eip155:1:${other}` } })
    await expect(order()).rejects.toThrow('an order that differs from the request')
  })

  test('attack: the link of a stored order is hidden unless it is for a connected account', async () => {
    const own = await open()
    expect((await getOnrampOrder(own.kit, { id: orderId })).url).toBe(payUrl)
    const foreign = await open({ order: { account: `eip155:1:${other}` } })
    expect((await getOnrampOrder(foreign.kit, { id: orderId })).url).toBeUndefined()
    const list = await open({ order: { url: [payUrl] } })
    expect((await getOnrampOrder(list.kit, { id: orderId })).url).toBeUndefined()
  })

  test.each<[string, object]>([
    ['another id', { id: 'ZZZZZZZZZZZZZZZZZZZZZZ' }],
    ['an unknown status', { status: 'settled' }],
    ['no account', { account: '0x' }],
    ['no currency', { paymentTotal: { amount: '1', currency: '<b>' } }],
  ])('attack: a response with %s does not change the order’s outcome', async (_, change) => {
    const { kit } = await open({ order: change })
    await expect(getOnrampOrder(kit, { id: orderId })).rejects.toThrow(GatewayError)
  })

  test.each<[string, object]>([
    ['an id that is too short', { id: 'abcdefg' }],
    ['an id that is too long', { id: 'a'.repeat(65) }],
    ['an id that is a path', { id: 'orders/../x' }],
    ['an id that is not text', { id: ['abcdefgh'] }],
    ['no account', { account: undefined }],
    ['no status', { status: undefined }],
    ['a long currency', { paymentTotal: { amount: '1', currency: 'USDT' } }],
    ['text before the currency', { paymentTotal: { amount: '1', currency: ' USD' } }],
    ['a currency that is a list', { paymentTotal: { amount: '1', currency: ['USD'] } }],
    ['no payment', { paymentTotal: undefined }],
    ['no amount', { purchaseAmount: undefined }],
  ])('attack: with %s is malformed', async (_, change) => {
    const { order } = await open({ order: change })
    await expect(order()).rejects.toThrow('The gateway sent a malformed order.')
  })

  test('has all values of the gateway that are valid', async () => {
    const { kit, request, account } = await open({ order: { reason: 'r'.repeat(201) } })
    const { signal } = new AbortController()
    const order = await getOnrampOrder(kit, { id: orderId, signal })
    expect(request.mock.lastCall).toEqual([`/v1/onramp/orders/${orderId}`, { signal }])
    expect({ ...order, network: order.network?.name }).toEqual({
      id: orderId,
      status: 'created',
      reason: 'r'.repeat(200),
      providerName: 'Tollhouse',
      account: `eip155:1:${account}`,
      network: 'Ethereum',
      symbol: 'ETH',
      currency: 'USD',
      amount: '250.00',
      fee: '3.4',
      quoted: '0.0685',
      received: undefined,
      hash: undefined,
      url: payUrl,
      createdAt: Date.UTC(2026, 10, 24, 10),
      updatedAt: Date.UTC(2026, 10, 24, 10),
    })
  })

  test('can have whole amounts', async () => {
    const whole = { amount: '250', currency: 'USD' }
    const { kit } = await open({ order: { paymentTotal: whole } })
    expect((await getOnrampOrder(kit, { id: orderId })).amount).toBe('250')
  })

  test('attack: has none of the values that are malformed', async () => {
    const { kit } = await open({
      order: {
        account: `eip155:137:${other}`,
        url: [payUrl],
        fee: 'low',
        networkFee: undefined,
        receivedAmount: 5,
        transactionHash: 5,
        createdAt: 'now',
        updatedAt: 5,
      },
    })
    expect(await getOnrampOrder(kit, { id: orderId })).toMatchObject({
      network: undefined,
      url: undefined,
      fee: '0',
      received: undefined,
      hash: undefined,
      reason: undefined,
      createdAt: 0,
      updatedAt: 0,
    })
  })

  test('can return to a page of the site; addresses are compared without their case', async () => {
    const { kit, request, account, wish } = await open({ order: { account: `eip155:1:${lower}` } })
    const { quotes } = await getOnrampQuotes(kit, wish)
    const returnUrl = 'https://book.example/paid'
    await createOnrampOrder(kit, { quote: quotes[0]!, returnUrl })
    expect(request.mock.calls.at(-1)?.[1]?.body).toMatchObject({ returnUrl })
    expect(account).not.toBe(lower)
    expect(getOnrampOrders(kit)).toEqual([orderId])
  })

  test('attack: the stored account has to be an address', async () => {
    const { kit } = await open()
    addOrder(kit, { id: orderId, account: 'eip155:1' })
    expect(getOnrampOrders(kit)).toEqual([])
  })

  test('error: a full or blocked storage forgets the order', async () => {
    const { kit, order } = await open()
    vi.stubGlobal('localStorage', {
      getItem() {
        throw new DOMException('blocked', 'SecurityError')
      },
      setItem() {
        throw new DOMException('full', 'QuotaExceededError')
      },
    })
    expect((await order()).id).toBe(orderId)
    expect(getOnrampOrders(kit)).toEqual([])
  })

  test('that is paid has the amount and the transaction', async () => {
    const { kit } = await open({
      order: {
        status: 'paid',
        receivedAmount: { amount: '0.0679', currency: 'ETH' },
        transactionHash: '0xabc',
        url: undefined,
      },
    })
    expect(await getOnrampOrder(kit, { id: orderId })).toMatchObject({
      status: 'paid',
      quoted: '0.0685',
      received: '0.0679',
      hash: '0xabc',
      url: undefined,
    })
  })

  test('error: without a connected account, none is created', async () => {
    const { kit, wallets, wish } = await open()
    const { quotes } = await getOnrampQuotes(kit, wish)
    wallets.emit({ type: 'disconnected', connectorId: wallets.ids[0] })
    await expect(createOnrampOrder(kit, { quote: quotes[0]! })).rejects.toThrow(NotConnectedError)
  })
})

describe('following an order', () => {
  test('reads it until its outcome is known, even while the gateway fails', async () => {
    const { kit, request } = await open()
    const onEnd = vi.fn<(order: { status: string }) => void>()
    request.mockRejectedValueOnce(new GatewayError('down', { status: 503 }))
    followOrder(kit, orderId, onEnd)
    await vi.advanceTimersByTimeAsync(6_000)
    expect(onEnd).not.toHaveBeenCalled()
    const created = await request('/v1/onramp/orders/x')
    request.mockResolvedValueOnce({ ...created, status: 'failed', reason: 'declined' })
    await vi.advanceTimersByTimeAsync(3_000)
    expect(onEnd.mock.calls.map(([{ status }]) => status)).toEqual(['failed'])
    const calls = request.mock.calls.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(request.mock.calls).toHaveLength(calls)
  })

  test('ends with an order that is paid', async () => {
    const { kit } = await open({ order: { status: 'paid' } })
    const onEnd = vi.fn<(order: { status: string }) => void>()
    followOrder(kit, orderId, onEnd)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(onEnd.mock.calls.map(([{ status }]) => status)).toEqual(['paid'])
  })

  test('reports nothing if it is stopped while the order is read', async () => {
    const { kit, request } = await open({ order: { status: 'paid' } })
    const onEnd = vi.fn<() => void>()
    const paid = await request('/v1/onramp/orders/x')
    let respond = () => {}
    request.mockReturnValueOnce(new Promise((resolve) => (respond = () => resolve(paid))))
    const stop = followOrder(kit, orderId, onEnd)
    await vi.advanceTimersByTimeAsync(3_000)
    stop()
    respond()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(onEnd).not.toHaveBeenCalled()
  })

  test('stops on request, when the order has expired or is gone, and when the kit is destroyed', async () => {
    const { kit, request } = await open()
    const onEnd = vi.fn<() => void>()
    const calls = () => request.mock.calls.length
    const before = calls()
    followOrder(kit, orderId, onEnd)()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(calls()).toBe(before)
    request.mockRejectedValueOnce(new GatewayError('gone', { status: 404 }))
    followOrder(kit, orderId, onEnd)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(calls()).toBe(before + 1)
    const created = await request('/v1/onramp/orders/x')
    request.mockResolvedValueOnce({ ...created, status: 'expired' })
    followOrder(kit, orderId, onEnd)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(calls()).toBe(before + 3)
    followOrder(kit, orderId, onEnd)
    kit.destroy()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(calls()).toBe(before + 3)
    expect(onEnd).not.toHaveBeenCalled()
  })
})
