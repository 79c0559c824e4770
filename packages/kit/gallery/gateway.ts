import type { IncomingMessage, ServerResponse } from 'node:http'

import type { WalletListing } from '../src/core/wallets/WalletListing.ts'
import { art } from './art.ts'
import { answerNames } from './namesGateway.ts'
import { nftPicture, nfts } from './nftGateway.ts'
import { answerOnramp } from './onrampGateway.ts'
import { answerSwap, rateOf } from './swapGateway.ts'

const names = [
  'Orrery',
  'Saltbox',
  'Thistle',
  'Plinth',
  'Quillon Guard',
  'Petrel',
  'Sundial',
  'Bramble',
  'Ostrea',
  'Cairn',
  'Tessel',
  'Windrow',
  'Vellum',
  'Gimbal',
  'Lantern',
  'Marl',
  'Osprey',
  'Quarry',
  'Rook',
  'Sorrel',
]

/** The mock directory: 421 wallets, two thirds of them certified. */
export const directory: readonly WalletListing[] = Array.from({ length: 421 }, (_, index) => {
  const round = Math.floor(index / names.length)
  const name = `${names[index % names.length]}${round ? ` ${round + 1}` : ''}`
  return {
    id: `wallet-${index}`,
    name,
    image_id: `${name}.svg`,
    homepage: `https://${name.toLowerCase().replace(/\W/g, '')}.example/`,
    chrome_store: 'https://chromewebstore.google.com/detail/wallet',
    app_store: 'https://apps.apple.com/app/wallet',
    mobile_link: 'wallet://',
    ...(index % 3 !== 2 && { badge_type: 'certified' }),
  }
})

/** The requests that the mock gateway has received, oldest first. */
export type GatewayLog = string[]

/**
 * A mock gateway. The project id selects its behavior: `slow` responds after
 * 1.5 s, `dead` responds with 503, `never` responds only to the request for the
 * configuration, `few` has five wallets. Of the account's tokens, `empty` has
 * none, `partial` lacks a network, `long` has long names and amounts, `many`
 * has 40, `small` some of little value, and `onlySmall` only those.
 * `oneCurrency` has prices only in US dollars. `namesGateway.ts`,
 * `nftGateway.ts`, `onrampGateway.ts` and `swapGateway.ts` have more modes.
 *
 * @returns whether it handled the request
 */
export function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  log: GatewayLog,
): boolean {
  const url = new URL(request.url ?? '/', 'http://gallery')
  const mode = url.searchParams.get('projectId') ?? 'ok'
  const send = (body: unknown, type = 'application/json') => {
    response.setHeader('content-type', type)
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const picture =
    /^\/(?:art|getWalletImage|public\/getAssetImage|public\/getTokenImage)\/(.+)$/.exec(
      url.pathname,
    )
  if (picture?.[1]) {
    send(art(decodeURIComponent(picture[1])), 'image/svg+xml')
    return true
  }
  const routes: Record<string, () => void> = {
    '/appkit/v1/config': () =>
      send({
        features: [
          'social_login',
          'swap',
          'onramp',
          'activity',
          'reown_branding',
          'multi_wallet',
          'passkey_login',
        ].map((id) => ({ id, isEnabled: true, config: null })),
      }),
    '/getAnalyticsConfig': () => send({ isAnalyticsEnabled: false }),
    '/e': () => send({}),
    '/getWallets': () => send(page(url.searchParams, mode)),
  }
  const swap = async () => {
    const answer = await answerSwap(request, url, mode)
    response.statusCode = answer ? (answer.status ?? 200) : 404
    send(answer?.body ?? {})
  }
  const onramp = async () => {
    const answer = await answerOnramp(request, url, mode)
    response.statusCode = answer ? (answer.status ?? 200) : 404
    if (answer?.html) send(answer.html, 'text/html')
    else send(answer?.body ?? {})
  }
  const nft = url.pathname.startsWith('/v1/images/nft/') && nftPicture(url)
  if (nft) {
    send(nft, 'image/svg+xml')
    return true
  }
  if (url.pathname.startsWith('/v1/identity/')) {
    // Scenes with names read them from the chain.
    send({ name: null, avatar: null, missing: ['name'] })
    return true
  }
  const list = () => {
    const page = nfts(url, mode)
    response.statusCode = page.status
    send(page.body)
  }
  const account = () => {
    const isHistory = url.pathname.endsWith('/history')
    if (isHistory && mode === 'noOlder' && url.searchParams.has('cursor')) response.statusCode = 503
    send(isHistory ? history(url, mode) : balances(url, mode))
  }
  const names = async () => {
    const answer = await answerNames(request, url, mode)
    if (answer === 'never') return
    response.statusCode = answer.status ?? 200
    send(answer.body)
  }
  const route = url.pathname.startsWith('/v1/profile/')
    ? () => void names()
    : url.pathname.startsWith('/v1/account/')
      ? url.pathname.endsWith('/nfts')
        ? list
        : account
      : /^\/v1\/(convert|fungible)\//.test(url.pathname)
        ? () => void swap()
        : /^\/(v1\/onramp\/|v1\/generators\/|onramp\/pay\/)/.test(url.pathname)
          ? () => void onramp()
          : routes[url.pathname]
  if (!route) return false
  log.push(request.url ?? '')
  if (mode === 'dead') {
    response.statusCode = 503
    send({ reasons: [{ description: 'The mock gateway is unavailable.' }] })
  } else if (mode === 'slow') setTimeout(route, 1500)
  else if (mode !== 'never' || url.pathname === '/appkit/v1/config') route()
  return true
}

function page(query: URLSearchParams, mode: string) {
  const search = query.get('search')?.toLowerCase()
  const include = query.get('include')?.split(',')
  const all = (mode === 'few' ? directory.slice(0, 5) : directory).filter(
    (wallet) =>
      (!search || wallet.name.toLowerCase().includes(search)) &&
      (!include || include.includes(wallet.id)) &&
      (query.get('badge_type') !== 'certified' || wallet.badge_type === 'certified'),
  )
  const entries = Number(query.get('entries') ?? 40)
  const start = (Number(query.get('page') ?? 1) - 1) * entries
  return { data: all.slice(start, start + entries), count: all.length }
}

/** A mock contract address. */
const addressOf = (symbol: string) => `0x${symbol.padStart(40, '0')}`

function balances({ searchParams }: URL, mode: string) {
  const rate = rateOf(searchParams.get('currency'))
  const token = (
    symbol: string,
    name: string,
    numeric: string,
    price: number,
    { chain = 1, decimals = 18, address = true } = {},
  ) => ({
    name,
    symbol,
    chainId: `eip155:${chain}`,
    ...(address && { address: `eip155:${chain}:${addressOf(symbol)}` }),
    price: price * rate,
    quantity: { decimals: String(decimals), numeric },
    iconUrl: `/public/getTokenImage/${symbol}`,
  })
  const ether = token('ETH', 'Ether', '2.481', 3600, { address: false })
  const lists: Record<string, unknown[]> = {
    empty: [],
    many: [
      ether,
      ...Array.from({ length: 39 }, (_, index) =>
        token(`T${index + 1}`, `Token ${index + 1}`, String(40 - index), 1),
      ),
    ],
    partial: [ether],
    small: [
      token('FLD', 'Fold Dollar', '2904.11', 1, { chain: 10, decimals: 6 }),
      token('QLL', 'Quill', '0.5', 1.3),
      token('EMB', 'Ember', '0.2', 1.2584, { chain: 8453 }),
      token('MOSS', 'Moss', '4', 0),
      token('ETH', 'Ether', '0.0001', 3600, { address: false }),
      token('POL', 'Polygon', '1', 0.21, { chain: 137, address: false }),
    ],
    onlySmall: [token('QLL', 'Quill', '0.5', 1.3)],
    long: [
      token('ETH', 'Ether', '34293552480.48', 3600, { address: false }),
      token('FLD', 'Fold Dollar of the Northern Archipelago', '0.000000004', 1, { decimals: 9 }),
      token('QLL', 'Quill', '412.9', 0),
    ],
  }
  return {
    balances: lists[mode] ?? [
      ether,
      token('FLD', 'Fold Dollar', '2904.11', 1, { chain: 10, decimals: 6 }),
      token('QLL', 'Quill', '412.9', 1.3),
      token('EMB', 'Ember', '86.004', 1.2584, { chain: 8453 }),
      token('POL', 'Polygon', '12.5', 0.21, { chain: 137, address: false }),
      token('MOSS', 'Moss', '4', 0),
      { ...token('GIFT', 'Claim at fold-gift.example', '50000', 0), flags: { is_spam: true } },
    ],
    ...(mode === 'partial' && { missing: ['balances'] }),
  }
}

/** Pages of 30 transactions; `long` has 2,000 of them. */
function history({ searchParams }: URL, mode: string) {
  const start = Number(searchParams.get('cursor') ?? 0)
  const total = { empty: 0, long: 2_000, noOlder: 2_000 }[mode] ?? 12
  const kinds = [
    [
      'trade',
      [
        ['out', 'ETH', '0.2'],
        ['in', 'FLD', '716.42'],
      ],
    ],
    ['mint', [['in', 'Plate 12', '1', true]]],
    ['approve', [['self', 'QLL', '412.9']]],
    ['receive', [['in', 'FLD', '40']]],
    ['send', [['out', 'ETH', '0.25']]],
    ['execute', [['out', 'ETH', '0']]],
  ] as const
  const currency = searchParams.get('currency')
  const prices: Record<string, number> = { ETH: 3_415.2, FLD: 1 }
  const noon = new Date().setHours(12, 0, 0, 0)
  const data = Array.from({ length: Math.min(30, Math.max(0, total - start)) }, (_, index) => {
    const number = start + index
    const [operationType, transfers] = kinds[number % kinds.length]!
    const isSpam = number % 11 === 10
    return {
      id: `transaction-${number}`,
      metadata: {
        operationType,
        hash: `0x${String(number).padStart(64, '0')}`,
        chain: searchParams.get('chainId'),
        minedAt: new Date(noon - number * 5 * 3_600_000).toISOString(),
        sentFrom: '0x77aE91f3bb1c8d7eF0a2000000000000000001c2',
        sentTo: '0x5c81E0a4F7b2D93816a05cE24f8B7dA10e3390Ef',
        status: number % 7 === 6 ? 'failed' : 'confirmed',
        nonce: total - number,
      },
      transfers: transfers.map(([direction, name, numeric, isNft]) => ({
        ...(isNft
          ? {
              nft_info: {
                name,
                flags: { is_spam: isSpam },
                content: { preview: { url: `/v1/images/nft/${encodeURIComponent(name)}?v=1` } },
              },
            }
          : {
              fungible_info: {
                name,
                symbol: isSpam ? 'claim-gift.example' : name,
                icon: { url: `/public/getTokenImage/${name}` },
                flags: { is_spam: isSpam },
              },
            }),
        direction,
        quantity: { numeric },
        // Older prices are not known, as on a gateway with a month of them.
        ...(direction !== 'self' &&
          number < 140 &&
          Number(numeric) > 0 && {
            value: Number(numeric) * (prices[name] ?? Number.NaN) * rateOf(currency),
          }),
      })),
    }
  })
  const next = start + data.length
  return {
    data,
    next: next < total ? String(next) : null,
    currency: (currency ?? 'usd').toUpperCase(),
  }
}
