import type { IncomingMessage, ServerResponse } from 'node:http'

import type { WalletListing } from '../src/core/wallets/WalletListing.ts'
import { art } from './art.ts'
import { answerSwap } from './swapGateway.ts'

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
 * A mock gateway. The project id selects its behavior: `slow` responds after 1.5 s, `dead` responds
 * with 503, `never` responds only to the request for the configuration, `few` has five wallets. Of the account's tokens,
 * `empty` has none, `partial` lacks a network, `long` has long names and amounts, and `many` has 40.
 * `swapGateway.ts` has more modes.
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
  const route = url.pathname.startsWith('/v1/account/')
    ? () => send(balances(mode))
    : /^\/v1\/(convert|fungible)\//.test(url.pathname)
      ? () => void swap()
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

function balances(mode: string) {
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
    price,
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
    ],
    ...(mode === 'partial' && { missing: ['balances'] }),
  }
}
