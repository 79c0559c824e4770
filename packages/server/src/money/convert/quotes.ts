import { limits } from '@gatefold/protocol'
import { QuoteQuery, type QuotesResponse } from '@gatefold/protocol/gateway'
import { keyOf } from '../chainData/ChainData.ts'
import type { MoneyContext } from '../context.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { handleQuery, isNative, json, RefusedError, requireChain, toCaip } from '../requests.ts'
import { readImpact } from '../swaps/readImpact.ts'
import type { SwapPair, SwapSource } from '../swaps/SwapSource.ts'

type Token = QuoteQuery['from']

/** How many quotes a response has. */
const maxQuotes = 3

/**
 * `GET /v1/convert/quotes`: quotes for swapping an amount of a token into
 * another token on the same chain, on the best routes. Without a route,
 * `quotes` is empty and `reasons` says why; official clients then show
 * "Incorrect amount".
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.5
 */
export function getQuotes(context: MoneyContext) {
  return handleQuery(context, QuoteQuery, async (query) => {
    const { chain, pair, source } = requirePair(context, query)
    const { from, to, amount } = pair
    const { quotes, reason } = await source.quote(chain, pair)
    const [best] = quotes
    if (best && best.priceImpact === undefined)
      best.priceImpact = await readImpact(context, chain, pair, best.amountOut)
    const expiresAt = new Date(context.now() + limits.quoteLifetimeMs).toISOString()
    const body: QuotesResponse = {
      quotes: quotes.slice(0, maxQuotes).map(({ amountOut, fee, gas, priceImpact, route }) => ({
        id: crypto.randomUUID(),
        fromAmount: String(amount),
        fromAccount: toCaip(chain, from),
        toAmount: String(amountOut),
        toAccount: toCaip(chain, to),
        priceImpact: priceImpact ?? null,
        route: route.map((token) => toCaip(chain, token)),
        fee,
        gas: String(gas),
        hasDeadline: source.hasDeadline,
        expiresAt,
      })),
      ...(reason && { reasons: [reason] }),
    }
    return json(body)
  })
}

/**
 * Finds the chain of two tokens, and its swap source.
 *
 * @throws {RefusedError} if the tokens are the same or on different chains, or the chain has no swaps.
 */
export function requirePair(
  context: MoneyContext,
  { amount, from, to }: { amount: bigint; from: Token; to: Token },
): { chain: EvmChain; source: SwapSource; pair: SwapPair } {
  const chain = requireChain(context, from.caipNetworkId, 'from')
  if (to.caipNetworkId !== from.caipNetworkId)
    throw new RefusedError('to', `to is on ${to.caipNetworkId}; expected a token on ${chain.id}`)
  const source = context.swaps.of(chain)
  source.spender(chain)
  // Wrapping and unwrapping the native currency are not swaps.
  const [first, last] = [from, to].map(({ address }) =>
    keyOf(isNative(address) ? (chain.data.wrapped ?? address) : address),
  )
  if (first === last) throw new RefusedError('to', 'to is the same token as from')
  return { chain, source, pair: { amount, from: from.address, to: to.address } }
}
