import type { IncomingMessage } from 'node:http'

/**
 * The contents of a mock response of the on-ramp endpoints. `html` replaces the
 * JSON.
 */
export type OnrampAnswer = { status?: number; body?: unknown; html?: string }

/** The account of the scenes with an order. */
const account = '0x9f3C2a7B61e04D5580cA9E17fF3b62d0A84cb41E'
/** The accounts of created orders, by order id. */
const receivers = new Map<string, string>()

const providers = [
  { id: 'tollhouse', name: 'Tollhouse', fee: 1.36 },
  { id: 'quayside', name: 'Quayside', fee: 1.9 },
  { id: 'lantern', name: 'Lantern', fee: 2 },
]
const tokens = [
  { symbol: 'ETH', name: 'Ether', price: 3600, chains: [1, 10, 8453], isNative: true },
  { symbol: 'FLD', name: 'Fold Dollar', price: 1, chains: [1, 10] },
  { symbol: 'QLL', name: 'Quill', price: 1.3, chains: [1] },
  { symbol: 'POL', name: 'Polygon', price: 0.21, chains: [137], isNative: true },
  { symbol: 'MOS', name: 'Moss', price: 0, chains: [1] },
]
const currencies = [
  { id: 'USD', perDollar: 1, bank: true },
  { id: 'EUR', perDollar: 0.92, bank: true },
  { id: 'GBP', perDollar: 0.79 },
  { id: 'CHF', perDollar: 0.88 },
  { id: 'JPY', perDollar: 150 },
]

/** The states that tests have set for orders, by order id. */
const states = new Map<string, string>()
let lastOrder = 0

/**
 * The on-ramp endpoints of the mock gateway. Modes: `noOnramp` sells nothing,
 * `noPrices` has no quotes, `expiredQuote` and `tooManyOrders` refuse orders.
 * An order's id contains its state, as in `order-paid-000`; a request for
 * `/onramp/pay/{id}/{state}` changes it.
 *
 * @returns undefined for other paths
 */
export async function answerOnramp(
  request: IncomingMessage,
  url: URL,
  mode: string,
): Promise<OnrampAnswer | undefined> {
  const [, id, state] = /^\/onramp\/pay\/([\w-]+)(?:\/(\w+))?$/.exec(url.pathname) ?? []
  if (id) {
    if (state) states.set(id, state)
    return { html: `<!doctype html><title>Tollhouse</title><h1>Pay at Tollhouse</h1>` }
  }
  const [, orderId] = /^\/v1\/onramp\/orders\/([\w-]+)$/.exec(url.pathname) ?? []
  if (orderId) {
    const status = states.get(orderId) ?? orderId.split('-')[1] ?? 'created'
    if (status === 'gone') return refusal(404, 'id')
    return { body: order(orderId, status, `http://${request.headers.host}`) }
  }
  switch (url.pathname) {
    case '/v1/onramp/options':
      return { body: options(mode) }
    case '/v1/onramp/quote':
      return quote(await readBody(request), mode)
    case '/v1/generators/onrampurl': {
      if (mode === 'expiredQuote') return refusal(400, 'quoteId', 'quoteId: the quote has expired')
      if (mode === 'tooManyOrders') return refusal(429, 'ip')
      const { destinationWallets } = (await readBody(request)) as {
        destinationWallets: [{ address: string }]
      }
      receivers.set(`order-created-${lastOrder + 1}`, destinationWallets[0].address)
      const created = order(
        `order-created-${++lastOrder}`,
        'created',
        `http://${request.headers.host}`,
      )
      return { body: { url: created.url, order: created } }
    }
    default:
      return undefined
  }
}

function options(mode: string) {
  if (mode === 'noOnramp') return { paymentCurrencies: [], purchaseCurrencies: [], providers: [] }
  return {
    paymentCurrencies: currencies.map(({ id, bank }) => ({
      id,
      payment_method_limits: [
        { id: 'card', min: '10.00', max: '7500.00' },
        ...(bank ? [{ id: 'ach_bank_account', min: '10.00', max: '25000.00' }] : []),
      ],
    })),
    purchaseCurrencies: tokens.map(({ symbol, name, chains, isNative }) => ({
      id: symbol,
      symbol,
      name,
      networks: chains.map((chain) => ({
        name: `network-${chain}`,
        display_name: `Network ${chain}`,
        chain_id: String(chain),
        contract_address: isNative ? '' : `0x${symbol.padStart(40, '0')}`,
      })),
    })),
    providers: providers.map(({ id, name }) => ({ id, name })),
  }
}

function quote(body: unknown, mode: string): OnrampAnswer {
  const { purchaseCurrency, paymentCurrency, amount, chainId, paymentMethod } = body as {
    purchaseCurrency: { symbol: string }
    paymentCurrency: { id: string }
    amount: string
    chainId: string
    paymentMethod: string
  }
  const token = tokens.find(({ symbol }) => symbol === purchaseCurrency.symbol)
  const rate = currencies.find(({ id }) => id === paymentCurrency.id)?.perDollar
  if (!token?.price || !rate || mode === 'noPrices')
    return refusal(400, 'tollhouse', '', 'token_not_sold')
  const money = (value: number) => ({ amount: value.toFixed(2), currency: paymentCurrency.id })
  const paid = Number(amount)
  const isBank = paymentMethod !== 'card'
  const quotes = providers
    .filter(({ id }) => !isBank || id === 'quayside')
    .map(({ id, name, fee }) => ({
      quoteId: `${id}.quote`,
      provider: id,
      providerName: name,
      paymentTotal: money(paid),
      paymentSubtotal: money(paid * (1 - fee / 100)),
      fee: money((paid * fee) / 100),
      networkFee: money(0),
      purchaseAmount: {
        amount: ((paid * (1 - fee / 100)) / rate / token.price).toFixed(8),
        currency: token.symbol,
      },
      chainId,
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    }))
  const reasons = isBank
    ? [
        { field: 'tollhouse', code: 'currency_not_taken', description: 'no' },
        { field: 'lantern', code: 'provider_down', description: 'no' },
      ]
    : []
  return { body: { ...quotes[0], quotes, reasons } }
}

function order(id: string, state: string, origin: string) {
  const status = { short: 'paid', slow: 'pending' }[state] ?? state
  const money = (amount: string) => ({ amount, currency: 'USD' })
  const ether = (amount: string) => ({ amount, currency: 'ETH' })
  const createdAt = new Date().toISOString()
  return {
    id,
    status,
    ...(status === 'failed' && { reason: 'The card was declined.' }),
    provider: 'tollhouse',
    providerName: 'Tollhouse',
    account: `eip155:1:${receivers.get(id) ?? account}`,
    paymentTotal: money('250.00'),
    fee: money('3.40'),
    networkFee: money('0.00'),
    purchaseAmount: ether('0.0685'),
    ...(status === 'paid' && {
      receivedAmount: ether(state === 'short' ? '0.0679' : '0.0685'),
      transactionHash: `0x8c1f${'0'.repeat(60)}`,
    }),
    ...(status === 'created' && { url: `${origin}/onramp/pay/${id}` }),
    createdAt,
    // The order `slow` was paid on another day.
    updatedAt: state === 'slow' ? '2026-03-14T10:26:00Z' : createdAt,
    expiresAt: createdAt,
  }
}

function refusal(status: number, field: string, description = 'refused', code?: string) {
  return {
    status,
    body: { status: 'FAILED', reasons: [{ field, description, ...(code && { code }) }] },
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString() || '{}')
}
