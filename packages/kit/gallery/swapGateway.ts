import type { IncomingMessage } from 'node:http'

/** The contents of a mock response of the swap endpoints. */
export type SwapAnswer = { status?: number; body: unknown }

/** Tokens that the mock gateway swaps, with prices in US dollars. */
const listed = [
  { symbol: 'ETH', name: 'Ether', decimals: 18, price: 3600 },
  { symbol: 'FLD', name: 'Fold Dollar', decimals: 6, price: 1 },
  { symbol: 'QLL', name: 'Quill', decimals: 18, price: 1.3 },
  { symbol: 'MOSS', name: 'Moss', decimals: 18, price: 0 },
  { symbol: 'BRIM', name: 'Brimstone', decimals: 18, price: 0.042 },
  { symbol: 'SATN', name: 'Saturn Bitcoin', decimals: 8, price: 61_200 },
  { symbol: 'LUMEN', name: 'Lumen of the Northern Archipelago', decimals: 18, price: 12 },
]
/** Units of a currency for one US dollar. */
export const rates: Record<string, number> = {
  USD: 1,
  EUR: 0.9,
  GBP: 0.75,
  JPY: 150,
  CHF: 0.8,
  BRL: 5.4,
  CAD: 1.4,
  INR: 84,
}
/** The rate of a request's currency. */
export const rateOf = (currency: string | null | undefined) =>
  rates[currency?.toUpperCase() ?? 'USD'] ?? 1
const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const router = '0x4E138b48ed03DD7572287c0e145f4Aa9fE3D7110'
const wrapped = '0x638C2e0821fb06E310B8baD425d1d2Fac0164b2E'
const addressOf = (symbol: string) => (symbol === 'ETH' ? native : `0x${symbol.padStart(40, '0')}`)

/**
 * The swap endpoints of the mock gateway. The mode selects the behavior:
 * `noSwaps` and `noRoute` have no quotes, `shallow` has too little liquidity,
 * `thin` and `steep` have a high price impact, `moved` has a lower price once
 * the swap is built, `unlimited` builds an unlimited approval, `revert` refuses
 * the swap, `reset` builds a reset before each approval. The call data of a swap is JSON in hex, as the memory adapter
 * decodes it.
 *
 * @returns undefined for other paths
 */
export async function answerSwap(
  request: IncomingMessage,
  url: URL,
  mode: string,
): Promise<SwapAnswer | undefined> {
  const chainId = url.searchParams.get('chainId') ?? 'eip155:1'
  switch (url.pathname) {
    case '/v1/convert/tokens':
      if (mode === 'noSwaps') return refusal('chainId', 'no_swaps')
      return {
        body: {
          tokens: listed.map(({ symbol, name, decimals }) => ({
            symbol,
            name,
            decimals,
            address: `${chainId}:${addressOf(symbol)}`,
            logoUri: `/public/getTokenImage/${symbol}`,
            eip2612: symbol === 'QLL',
          })),
        },
      }
    case '/v1/convert/gas-price':
      return { body: { standard: '2600000000', fast: '2700000000', instant: '3000000000' } }
    case '/v1/convert/quotes':
      return quotes(url, mode)
    case '/v1/convert/allowance':
      return { body: { allowance: mode === 'reset' ? '5000000' : '0' } }
    case '/v1/convert/build-approve': {
      const { from = '', amount = '0' } = Object.fromEntries(url.searchParams)
      const units = mode === 'unlimited' ? 2n ** 256n - 1n : BigInt(amount)
      const spender = router.slice(2).toLowerCase().padStart(64, '0')
      const approve = (approved: bigint) => {
        const data = `0x095ea7b3${spender}${approved.toString(16).padStart(64, '0')}`
        return { from, to: from, data, value: '0' }
      }
      const tx = approve(units)
      return { body: mode === 'reset' ? { tx: approve(0n), next: tx } : { tx } }
    }
    case '/v1/convert/build-transaction':
      return build(await readBody(request), mode)
    case '/v1/fungible/price': {
      const { addresses = [], currency } = (await readBody(request)) as {
        addresses?: string[]
        currency?: string
      }
      return {
        body: {
          fungibles: addresses.map((address) => ({
            address,
            price: (tokenAt(address)?.price ?? 0) * rateOf(currency),
          })),
        },
      }
    }
    case '/v1/fungible/history':
      return priceHistory(url, mode)
    case '/v1/fungible/currencies':
      return mode === 'oneCurrency'
        ? { status: 404, body: {} }
        : { body: { currencies: Object.keys(rates) } }
    default:
      return undefined
  }
}

/**
 * 60 prices up to now, which rise over a day and fall over a week. With
 * `flatPrices`, all are equal and converted at the current exchange rate;
 * `noHistory` simulates an older gateway.
 */
function priceHistory({ searchParams }: URL, mode: string): SwapAnswer {
  if (mode === 'noHistory') return { status: 404, body: {} }
  const days = { day: 1, week: 7, month: 30 }[searchParams.get('period') ?? ''] ?? 1
  const step = (days * 86_400_000) / 59
  const now = Math.floor(Date.now() / 60_000) * 60_000
  const price =
    (tokenAt(searchParams.get('address') ?? '')?.price ?? 1) * rateOf(searchParams.get('currency'))
  const shape = (index: number) =>
    mode === 'flatPrices'
      ? 1
      : 1 +
        (days === 7 ? -0.04 : 0.03) * (index / 59) +
        0.01 * Math.sin(index / 4) * Math.sin(index)
  return {
    body: {
      currency: (searchParams.get('currency') ?? 'usd').toUpperCase(),
      rates: mode === 'flatPrices' ? 'current' : 'daily',
      points:
        mode === 'noPoints'
          ? []
          : Array.from({ length: 60 }, (_, index) => [
              Math.round(now - (59 - index) * step),
              price * (shape(index) / shape(59)),
            ]),
    },
  }
}

function quotes(url: URL, mode: string): SwapAnswer {
  const { from = '', to = '', amount = '0' } = Object.fromEntries(url.searchParams)
  if (mode === 'noRoute') return { body: { quotes: [], reasons: [{ code: 'no_route' }] } }
  if (mode === 'shallow') return { body: { quotes: [], reasons: [{ code: 'low_liquidity' }] } }
  const middle = `eip155:1:${addressOf('QLL')}`
  const impact = { thin: 7.2, steep: 18.4 }[mode] ?? 0.04
  return {
    body: {
      quotes: [
        {
          fromAmount: amount,
          toAmount: String(worth(from, to, BigInt(amount), impact)),
          priceImpact: impact,
          fee: 0.35,
          gas: '184000',
          route: [from, ...(tokenAt(from)?.symbol === 'ETH' ? [middle] : []), to].map((token) =>
            token.replace(native, wrapped),
          ),
        },
      ],
    },
  }
}

function build(body: unknown, mode: string): SwapAnswer {
  const { from, to, amount, userAddress, eip155 } = body as {
    from: string
    to: string
    amount: string
    userAddress: string
    eip155: { slippage: number; deadline: number; permit?: { deadline: number } }
  }
  if (mode === 'revert') return refusal('amount', 'would_revert', 'the swap would fail: Paused')
  const impact = mode === 'moved' ? 12 : 0.04
  const slippage = BigInt(Math.round(eip155.slippage * 100))
  const minimum = (worth(from, to, BigInt(amount), impact) * (10_000n - slippage)) / 10_000n
  const plain = (caip: string) => caip.split(':')[2]!
  const call = {
    pay: plain(from).replace(native, wrapped),
    get: plain(to).replace(native, wrapped),
    amount,
    minimum: String(minimum),
    recipient: plain(userAddress),
    isNative: plain(to) === native,
    deadline: String(Math.floor(Date.now() / 1000) + eip155.deadline * 60),
    ...(eip155.permit && {
      permit: { token: plain(from), amount, deadline: String(eip155.permit.deadline) },
    }),
  }
  const isNative = plain(from) === native
  return {
    body: {
      tx: {
        from: userAddress,
        to: `eip155:1:${router}`,
        data: `0x${Buffer.from(JSON.stringify(call)).toString('hex')}`,
        value: isNative ? amount : '0',
      },
    },
  }
}

/** The value of an amount in another token, after fee and price impact. */
function worth(from: string, to: string, amount: bigint, impactPercent: number): bigint {
  const [a, b] = [tokenAt(from), tokenAt(to)]
  if (!a?.price || !b?.price) return 0n
  const rate = (a.price / b.price) * (1 - 0.0035 - impactPercent / 100)
  const scaled = BigInt(Math.round(rate * 1e9))
  return (amount * scaled * 10n ** BigInt(b.decimals)) / 10n ** BigInt(a.decimals) / 10n ** 9n
}

function tokenAt(caip: string) {
  const address = caip.split(':')[2]?.toLowerCase()
  return listed.find(({ symbol }) => addressOf(symbol).toLowerCase() === address)
}

function refusal(field: string, code: string, description = 'refused'): SwapAnswer {
  return { status: 400, body: { status: 'FAILED', reasons: [{ field, description, code }] } }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString() || '{}')
}
