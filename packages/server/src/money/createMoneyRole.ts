import type { Context } from '../context.ts'
import type { AccessContext } from '../http/access.ts'
import { publicAnswers } from '../http/answers.ts'
import { createPreflight } from '../http/cors.ts'
import type { Handler, Role, Routes } from '../http/Role.ts'
import { hasWatches } from '../storage/history.ts'
import type { History } from './history/HistorySource.ts'
import type { Nfts } from './nfts/createNfts.ts'
import type { Onramp } from './onramp/createOnramp.ts'
import type { Prices } from './prices/createPrices.ts'

/** The methods of the routes in `createRoutes.ts`. */
const methods = {
  '/v1/identity/:address': 'GET',
  '/v1/account/:address/balance': 'GET',
  '/v1/account/:address/nfts': 'GET',
  '/v1/account/:address/history': 'GET',
  '/v1/images/nft/:chain/:asset/:token': 'GET',
  '/v1/convert/tokens': 'GET',
  '/v1/convert/quotes': 'GET',
  '/v1/convert/allowance': 'GET',
  '/v1/convert/gas-price': 'GET',
  '/v1/convert/build-approve': 'GET',
  '/v1/convert/build-transaction': 'POST',
  '/v1/fungible/price': 'POST',
  '/v1/fungible/history': 'GET',
  '/v1/fungible/currencies': 'GET',
  '/v1/profile/account': 'POST',
  '/v1/profile/account/:name': 'GET',
  '/v1/profile/records': 'POST',
  '/v1/profile/reverse/:address': 'GET',
  '/v1/profile/suggestions/:name': 'GET',
  '/v1/profile/zone': 'GET',
  '/v1/profile/ccip/:sender/:data': 'GET',
  '/v1/onramp/options': 'GET',
  '/v1/onramp/quote': 'POST',
  '/v1/onramp/orders/:id': 'GET',
  '/v1/onramp/webhooks/:provider': 'POST',
  '/v1/generators/onrampurl': 'POST',
  '/onramp/sandbox/assets/page.css': 'GET',
  '/onramp/sandbox/assets/page.js': 'GET',
  '/onramp/sandbox/:order': 'GET',
  '/onramp/sandbox/:order/pay': 'POST',
  '/v1/sessions/:address': 'GET',
  '/v1/sessions/:address/revoke': 'POST',
} as const

type Loaded = {
  handlers: Record<MoneyPath, Handler>
  onError: Role['onError']
  history: History
  nfts: Pick<Nfts, 'close'>
  onramp: Onramp
  prices: Pick<Prices, 'start' | 'stop'>
}

export type MoneyPath = keyof typeof methods

export const moneyPaths = Object.keys(methods)

/**
 * Identity, names, balances, history, prices, swaps and the on-ramp. Everything
 * except the on-ramp, and the prices, exchange rates and swaps of vendors, is
 * read from the operator's upstreams. The handlers and viem are loaded on the
 * first request, because loading them takes a fifth of a second, and a server
 * that only relays messages does not need that memory. They are loaded earlier
 * only if there are accounts to index or on-ramp providers.
 */
export function createMoneyRole(context: createMoneyRole.Context): Role {
  const { chains, config, log, storage } = context
  let loaded: Loaded | undefined
  let loading: Promise<Loaded> | undefined
  let isClosed = false
  const load = async () =>
    (loading ??= import('./createRoutes.ts').then(({ createRoutes }) => {
      loaded = createRoutes(context)
      if (!isClosed) {
        loaded.history.start()
        loaded.onramp.start()
        loaded.prices.start()
      }
      return loaded
    }))
  const routes: Routes = Object.fromEntries(
    Object.entries(methods).map(([path, method]) => {
      const handle: Handler = async (c) => (await load()).handlers[path as MoneyPath](c)
      return [path, { [method]: handle }]
    }),
  )
  let stopProbing: (() => void) | undefined

  /**
   * Resumes indexing the addresses that were watched, and paying out the orders
   * that were paid, before the start.
   */
  async function resume() {
    const indexed = Object.keys(config.history).filter((id) => chains.byId.has(id))
    const hasOnramp = Object.keys(config.onramp).length > 0
    try {
      if (hasOnramp || (await hasWatches(storage.db, indexed))) await load()
    } catch (error) {
      log.warn({ err: error }, 'the history is not indexed before the first request')
    }
  }

  return {
    routes,
    answers: publicAnswers,
    preflight: createPreflight({
      headers: publicAnswers.headers,
      methods: 'GET, HEAD, POST, OPTIONS',
      allowHeaders: 'content-type',
      anyHeader: true,
    }),
    health: () => ({ isUp: true, body: { rpc: chains.status() } }),
    onError: (error) => loaded?.onError?.(error),
    onListening() {
      stopProbing = chains.keepProbing()
      void resume()
    },
    async close() {
      isClosed = true
      stopProbing?.()
      const started = await loading
      await Promise.all([
        started?.history.stop(),
        started?.nfts.close(),
        started?.onramp.stop(),
        started?.prices.stop(),
      ])
    },
  }
}

export declare namespace createMoneyRole {
  type Context = Omit<AccessContext, 'refuse' | 'metrics'> & ServerContext
}

type ServerContext = Pick<Context, 'chains' | 'log' | 'metrics' | 'now' | 'storage'> & {
  config: Pick<
    Context['config'],
    | 'chains'
    | 'arweaveGateway'
    | 'exchangeRates'
    | 'history'
    | 'historyAddresses'
    | 'historyBackfillBlocks'
    | 'historyCallsPerSecond'
    | 'ipfsGateway'
    | 'onramp'
    | 'prices'
    | 'privateHosts'
    | 'swaps'
  >
}
