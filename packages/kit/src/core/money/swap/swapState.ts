import { limits } from '@gatefold/protocol'

import { InvalidNumberError, toUnits } from '../decimal.ts'
import type { Token } from '../tokens.ts'
import { withReserve } from '../withReserve.ts'
import { isRefusal } from './quote.ts'
import type { Refusal, SwapQuote } from './quote.ts'

/** The first problem of a swap, or `ready`. `refused` has the gateway's code. */
export type SwapStatus =
  | 'noToken'
  | 'noAmount'
  | 'decimals'
  | 'balance'
  | 'gas'
  | 'quoting'
  | 'refused'
  | 'failed'
  | 'ready'

/** A swap while the visitor edits it. */
export type SwapState = {
  status: SwapStatus
  /** The amount to pay, in its smallest unit; undefined while it is not a number. */
  amount: bigint | undefined
  /**
   * The maximum amount that can be paid, in the smallest unit; undefined
   * without a token to pay with.
   */
  max: bigint | undefined
  /**
   * The amount of the native currency that “Max” leaves for gas; 0 for other
   * tokens.
   */
  reserve: bigint
  /** The fee of the swap in the smallest unit of the native currency; undefined until it is known. */
  fee: bigint | undefined
}

/**
 * The state of a swap. The first problem in the order of `SwapStatus` counts.
 *
 * @param parameters.text - the amount as typed
 * @param parameters.native - the native currency with its balance
 * @param parameters.gasPrice - undefined until it is known
 * @param parameters.operation - for a smart account, its fee, once that is known
 * @param parameters.quote - for exactly this pair and amount; undefined until it is known
 */
export function swapState(parameters: {
  pay: Token | undefined
  get: Token | undefined
  text: string
  native: Token | undefined
  gasPrice: bigint | undefined
  operation?: { fee: bigint | undefined } | undefined
  quote: SwapQuote | Refusal | undefined
  isFailed: boolean
}): SwapState {
  const { pay, get, text, native, gasPrice, operation, quote, isFailed } = parameters
  const gas = quote && !isRefusal(quote) ? quote.gas : BigInt(limits.swapGasUnits)
  const fee = operation ? operation.fee : gasPrice && gas * gasPrice
  const spare = operation ? withReserve(fee ?? 0n) : (gasPrice ?? 0n) * BigInt(limits.swapGasUnits)
  const reserve = pay && !pay.address ? spare : 0n
  const max = pay && leftOf(pay, reserve)
  const amount = pay && parseAmount(text, pay.decimals)
  const state = { amount, max, reserve, fee }
  if (!pay || !get) return { ...state, status: 'noToken' }
  if (amount === undefined) return { ...state, status: 'decimals' }
  if (amount === 0n) return { ...state, status: 'noAmount' }
  // Only the fee of this very operation is known, so it may use up the reserve.
  const payable = operation && !pay.address ? leftOf(pay, fee ?? 0n) : max!
  if (amount > payable) return { ...state, status: 'balance' }
  if (pay.address && native && native.units < (fee ?? 0n)) return { ...state, status: 'gas' }
  if (!quote) return { ...state, status: isFailed ? 'failed' : 'quoting' }
  return { ...state, status: isRefusal(quote) ? 'refused' : 'ready' }
}

function leftOf({ units }: Token, reserve: bigint): bigint {
  return units > reserve ? units - reserve : 0n
}

/**
 * Parses an amount as typed; `.5` and `5.` are numbers too, and no text is zero.
 *
 * @returns undefined if it has more decimals than the token, or is not a number
 */
export function parseAmount(text: string, decimals: number): bigint | undefined {
  const [whole = '', fraction = ''] = text.split('.')
  try {
    return toUnits(`${whole || '0'}${fraction && `.${fraction}`}`, decimals)
  } catch (error) {
    if (error instanceof InvalidNumberError) return undefined
    throw error
  }
}
