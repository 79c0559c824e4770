import { CaipAddress, limits } from '@gatefold/protocol'
import type { QuotesResponse } from '@gatefold/protocol/gateway'

import { GatewayError } from '../../kit/requestErrors.ts'
import type { Kit } from '../../kit/Kit.ts'
import type { Token } from '../tokens.ts'
import { requireGateway } from '../fromGateway.ts'
import { caipAddressOf } from '../fromGateway.ts'
import { parseUnits } from './swapTokens.ts'

/** The tokens and the amount of a swap. */
export type SwapPair = {
  /** The token to pay with. */
  pay: Token
  /** The token to get. */
  get: Token
  /** The amount to pay, in its smallest unit. */
  amount: bigint
}

/** The amount to get for an amount to pay, on the best route. */
export type SwapQuote = SwapPair & {
  /** The amount to get, in its smallest unit. */
  units: bigint
  /**
   * Percentage by which the price is worse than that of a small amount;
   * undefined if unknown.
   */
  priceImpact: number | undefined
  /** The sum of the pools' fees, in percent. */
  fee: number
  /** Estimated gas, in gas units. */
  gas: bigint
  /** Whether the transaction fails after the deadline that the visitor chooses. */
  hasDeadline: boolean
  /** Addresses of the tokens on the route, first and last included. */
  route: readonly string[]
}

/** Why there is no quote: a code of the gateway, such as `no_route`. */
export type Refusal = { refused: string }

/** Basis points of the whole. */
const whole = 10_000n

/**
 * Quotes an amount on the best route.
 *
 * @returns the quote, or the reason why there is no route
 * @throws {GatewayError} there is no gateway, or it failed
 */
export async function getQuote(
  kit: Kit,
  parameters: SwapPair & { signal?: AbortSignal | undefined },
): Promise<SwapQuote | Refusal> {
  const { pay, get, amount, signal } = parameters
  const gateway = await requireGateway(kit)
  const query = { amount: String(amount), from: caipAddressOf(pay), to: caipAddressOf(get) }
  let body: { [key in keyof QuotesResponse]?: unknown }
  try {
    body = await gateway.request('/v1/convert/quotes', { query, signal })
  } catch (error) {
    if (error instanceof GatewayError && error.reason) return { refused: error.reason }
    throw error
  }
  const [best] = (Array.isArray(body.quotes) ? body.quotes : []) as Record<string, unknown>[]
  if (!best) {
    const [reason] = (Array.isArray(body.reasons) ? body.reasons : []) as Record<string, unknown>[]
    return { refused: typeof reason?.code === 'string' ? reason.code : 'no_route' }
  }
  const units = parseUnits(best.toAmount, 'quote')
  if (units === 0n) return { refused: 'low_liquidity' }
  return {
    pay,
    get,
    amount,
    units,
    priceImpact: percentOf(best.priceImpact),
    fee: percentOf(best.fee) ?? 0,
    gas: best.gas === undefined ? BigInt(limits.swapGasUnits) : parseUnits(best.gas, 'quote'),
    hasDeadline: best.hasDeadline !== false,
    route: (Array.isArray(best.route) ? best.route : []).flatMap((token: unknown) =>
      typeof token === 'string' ? CaipAddress.toAddress(token) : [],
    ),
  }
}

/** Whether the result of a quote is a refusal. */
export function isRefusal(quote: SwapQuote | Refusal): quote is Refusal {
  return 'refused' in quote
}

/** The minimum amount that a swap may return. @param slippage - in basis points */
export function minimumOf(units: bigint, slippage: number): bigint {
  return (units * (whole - BigInt(slippage))) / whole
}

/**
 * The largest slippage at which a quote returns at least `minimum`, but at most `slippage`.
 *
 * @returns in basis points; undefined if the price has moved too far
 */
export function slippageFor(units: bigint, minimum: bigint, slippage: number): number | undefined {
  if (units <= minimum) return undefined
  const largest = Number(((units - minimum) * whole) / units)
  return largest < 1 ? undefined : Math.min(largest, slippage)
}

function percentOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
