import { limits } from '@gatefold/protocol'
import { BaseError, InvalidAddressError } from 'viem'
import { addressOf } from '../http/access.ts'
import { NoSlotError } from '../http/createSlots.ts'
import { currentClient, runForClient } from '../http/currentClient.ts'
import type { Handler } from '../http/Role.ts'
import { getBalance } from './balance.ts'
import { networks } from './chainData/networks.ts'
import type { MoneyContext } from './context.ts'
import { getAllowance } from './convert/allowance.ts'
import { getBuildApprove } from './convert/buildApprove.ts'
import { postBuildTransaction } from './convert/buildTransaction.ts'
import { getGasPrice } from './convert/gasPrice.ts'
import { getQuotes } from './convert/quotes.ts'
import { getTokens } from './convert/tokens.ts'
import { createDeadline, OutOfTimeError } from './createDeadline.ts'
import type { createMoneyRole, MoneyPath } from './createMoneyRole.ts'
import { createEvmChain } from './evm/createEvmChain.ts'
import { readFailure } from './evm/errors.ts'
import { postFungiblePrice } from './fungiblePrice.ts'
import { createHistory } from './history/createHistory.ts'
import { getHistory } from './history/history.ts'
import { getIdentity } from './identity.ts'
import { getAccount } from './names/account.ts'
import { getAnswer } from './names/ccip.ts'
import { postRecords } from './names/records.ts'
import { postAccount } from './names/register.ts'
import { getReverse } from './names/reverse.ts'
import { getSuggestions } from './names/suggestions.ts'
import { getZone } from './names/zone.ts'
import { createNfts } from './nfts/createNfts.ts'
import { getNftImage } from './nfts/images/image.ts'
import { getNfts } from './nfts/nfts.ts'
import { createOnramp } from './onramp/createOnramp.ts'
import { getOptions } from './onramp/options.ts'
import { getOrder } from './onramp/order.ts'
import { postQuote } from './onramp/quote.ts'
import { getSandboxAssets, getSandboxPage, postSandboxPayment } from './onramp/sandbox/routes.ts'
import { postUrl } from './onramp/url.ts'
import { postWebhook } from './onramp/webhook.ts'
import { createPools } from './prices/createPools.ts'
import { createDefiLlamaSource } from './prices/createDefiLlamaSource.ts'
import { createPoolSource } from './prices/createPoolSource.ts'
import { createPrices } from './prices/createPrices.ts'
import { createQuoteSource } from './prices/createQuoteSource.ts'
import { createRates } from './prices/createRates.ts'
import { createSamples } from './prices/createSamples.ts'
import { getCurrencies } from './prices/currencies.ts'
import { getPriceHistory } from './prices/history.ts'
import { PriceSourceError } from './prices/PriceSource.ts'
import { refuse, RefusedError } from './requests.ts'
import { getSessions, postRevoke } from './sessions.ts'
import { createSwaps } from './swaps/createSwaps.ts'
import { SwapSourceError } from './swaps/SwapSource.ts'
import { createTokens } from './tokens.ts'

/** Reads of contracts, sent together, that cost one rate-limit token. A response may need more than a thousand. */
const readsPerToken = 4

/** Creates the handlers of the role, and the services that they use. @see docs/gateway.md#account-and-money */
export function createRoutes(context: createMoneyRole.Context) {
  const { config, now } = context
  const data = { ...networks, ...config.chains }
  const evmChains = new Map(
    [...context.chains.byId].flatMap(([id, chain]) =>
      data[id] ? [[id, createEvmChain(chain, data[id], chargeRead)] as const] : [],
    ),
  )
  /** Charges the client whose request causes a read. The server's own reads are free. */
  function chargeRead() {
    const address = currentClient()
    if (address) context.limits.address.owe(address, 1 / readsPerToken)
  }
  const tokens = createTokens({ now })
  const pools = createPools({ now })
  const samples = createSamples(context)
  const { defillama } = config.prices
  const prices = createPrices({
    chains: [...evmChains.values()],
    order: config.prices.chains,
    sources: {
      pools: createPoolSource({ pools, tokens, samples, now }),
      quotes: createQuoteSource(config.prices.quotes),
      defillama: defillama && createDefiLlamaSource(defillama, now),
    },
    samples,
    now,
  })
  const rates = createRates(config.exchangeRates, now)
  for (const chain of evmChains.values()) prices.prepare(chain)
  const history = createHistory({ ...context, evmChains })
  const nfts = createNfts({ config, history, now })
  const own: MoneyContext = {
    config,
    now,
    storage: context.storage,
    metrics: context.metrics,
    projects: context.projects,
    limits: context.limits,
    refuse,
    evmChains,
    tokens,
    prices,
    rates,
    swaps: createSwaps(config.swaps, pools, now),
    history,
  }
  const onramp = createOnramp({ ...own, config, log: context.log })
  const withOnramp = { ...own, onramp }
  const sandboxAssets = getSandboxAssets(withOnramp)
  const handlers: Record<MoneyPath, Handler> = {
    '/v1/identity/:address': getIdentity(own),
    '/v1/account/:address/balance': getBalance(own),
    '/v1/account/:address/nfts': getNfts(own, nfts),
    '/v1/account/:address/history': getHistory(own, nfts),
    '/v1/images/nft/:chain/:asset/:token': getNftImage(own, nfts),
    '/v1/convert/tokens': getTokens(own),
    '/v1/convert/quotes': getQuotes(own),
    '/v1/convert/allowance': getAllowance(own),
    '/v1/convert/gas-price': getGasPrice(own),
    '/v1/convert/build-approve': getBuildApprove(own),
    '/v1/convert/build-transaction': postBuildTransaction(own),
    '/v1/fungible/price': postFungiblePrice(own),
    '/v1/fungible/history': getPriceHistory(own),
    '/v1/fungible/currencies': getCurrencies(own),
    '/v1/profile/account': postAccount(own),
    '/v1/profile/account/:name': getAccount(own),
    '/v1/profile/records': postRecords(own),
    '/v1/profile/reverse/:address': getReverse(own),
    '/v1/profile/suggestions/:name': getSuggestions(own),
    '/v1/profile/zone': getZone(own),
    '/v1/profile/ccip/:sender/:data': getAnswer(own),
    '/v1/onramp/options': getOptions(withOnramp),
    '/v1/onramp/quote': postQuote(withOnramp),
    '/v1/onramp/orders/:id': getOrder(withOnramp),
    '/v1/onramp/webhooks/:provider': postWebhook(withOnramp),
    '/v1/generators/onrampurl': postUrl(withOnramp),
    '/onramp/sandbox/assets/page.css': sandboxAssets.style,
    '/onramp/sandbox/assets/page.js': sandboxAssets.script,
    '/onramp/sandbox/:order': getSandboxPage(withOnramp),
    '/onramp/sandbox/:order/pay': postSandboxPayment(withOnramp),
    '/v1/sessions/:address': getSessions(own),
    '/v1/sessions/:address/revoke': postRevoke(own),
  }
  const inTime = Object.fromEntries(
    Object.entries(handlers).map(([path, handler]) => [path, withinLimit(handler, context)]),
  ) as typeof handlers
  return { handlers: inTime, onError, history, nfts, onramp, prices }
}

/** Ends a response before the client stops waiting, whatever the upstreams do. */
function withinLimit(handler: Handler, context: createMoneyRole.Context): Handler {
  return async (c) => {
    const deadline = createDeadline(limits.moneyResponseMs)
    const response = runForClient(addressOf(context, c), async () => handler(c))
    return deadline.race(response).finally(deadline.end)
  }
}

function onError(error: unknown): Response | undefined {
  if (error instanceof RefusedError) {
    const { field, message, code } = error
    return refuse(400, { field, description: message, ...(code && { code }) })
  }
  // viem refuses such an address when it encodes a call. No node was asked.
  if (error instanceof BaseError && error.walk((cause) => cause instanceof InvalidAddressError))
    return refuse(400, {
      field: 'address',
      description:
        'is not an address: it starts with 0x, and capital letters are its checksum (EIP-55)',
    })
  if (error instanceof PriceSourceError)
    return refuse(
      503,
      { field: 'address', description: 'the price cannot be read now' },
      { 'retry-after': '15' },
    )
  if (error instanceof SwapSourceError)
    return refuse(
      503,
      { field: 'chainId', description: 'swaps cannot be read now' },
      { 'retry-after': '15' },
    )
  if (error instanceof NoSlotError)
    return refuse(503, { field: 'server', description: error.shortMessage }, { 'retry-after': '5' })
  const description = error instanceof OutOfTimeError ? error.shortMessage : readFailure(error)
  if (description === undefined) return undefined
  return refuse(503, { field: 'chainId', description }, { 'retry-after': '5' })
}
