import { limits } from '@gatefold/protocol'
import { QuoteQuery, type QuotesResponse, type Reason } from '@gatefold/protocol/gateway'
import { keyOf } from '../chainData/ChainData.ts'
import type { MoneyContext } from '../context.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { handleQuery, isNative, json, RefusedError, requireChain, toCaip } from '../requests.ts'
import { requireRouter } from './allowance.ts'
import { quoteRoutes, type RouteQuote } from './findRoutes.ts'

type Token = QuoteQuery['from']

/** How many quotes a response has. */
const maxQuotes = 3

/** Gas of a swap outside its pools. */
const routerGas = 60_000n

/**
 * `GET /v1/convert/quotes`: what an amount of a token is worth in another one on the same chain, on the best routes.
 * Without a route, `quotes` is empty and `reasons` says why; official clients then show that the amount is wrong.
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.5
 */
export function getQuotes(context: MoneyContext) {
  return handleQuery(context, QuoteQuery, async ({ amount, from, to }) => {
    const { chain, quotes, reasons } = await findQuotes(context, { amount, from, to })
    const expiresAt = new Date(context.now() + limits.quoteLifetimeMs).toISOString()
    const body: QuotesResponse = {
      quotes: quotes.slice(0, maxQuotes).map(({ amountOut, gas, priceImpact, route }) => ({
        id: crypto.randomUUID(),
        fromAmount: String(amount),
        fromAccount: toCaip(chain, from.address),
        toAmount: String(amountOut),
        toAccount: toCaip(chain, to.address),
        priceImpact: priceImpact ?? null,
        route: route.tokens.map((token) => toCaip(chain, token)),
        fee: route.fees.reduce((sum, fee) => sum + fee, 0) / 10_000,
        gas: String(gas + routerGas),
        expiresAt,
      })),
      ...(reasons && { reasons }),
    }
    return json(body)
  })
}

/**
 * Finds the best routes for an amount.
 *
 * @returns `reasons` why there is no route, if there is none.
 * @throws {RefusedError} if the tokens are the same or on different chains, or the chain has no pools.
 */
export async function findQuotes(
  context: MoneyContext,
  { amount, from, to }: { amount: bigint; from: Token; to: Token },
): Promise<{ chain: EvmChain; quotes: RouteQuote[]; reasons?: Reason[] }> {
  const chain = requireChain(context, from.caipNetworkId, 'from')
  if (to.caipNetworkId !== from.caipNetworkId)
    throw new RefusedError('to', `to is on ${to.caipNetworkId}; expected a token on ${chain.id}`)
  requireRouter(chain)
  const [first, last] = [from, to].map(({ address }) => pooledAddress(chain, address))
  if (!first || !last || keyOf(first) === keyOf(last))
    throw new RefusedError('to', 'to is the same token as from')
  const quotes = await quoteRoutes(context.pools, chain, first, last, amount)
  if (quotes.length > 0) return { chain, quotes }
  const [direct, pair] = await Promise.all([
    context.pools.find(chain, first, last),
    context.pools.findPair(chain, first, last),
  ])
  const isDirect = direct.length > 0 || pair !== undefined
  const reason: Reason = isDirect
    ? {
        field: 'amount',
        description: 'the pools have too little liquidity for this amount',
        code: 'low_liquidity',
      }
    : { field: 'to', description: 'there is no route between these tokens', code: 'no_route' }
  return { chain, quotes, reasons: [reason] }
}

/** The token that stands for an address in pools, which contain no native currency. */
function pooledAddress({ data }: EvmChain, address: Token['address']) {
  return isNative(address) ? data.wrapped : address
}
