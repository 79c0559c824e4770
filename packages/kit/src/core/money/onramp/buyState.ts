import { fromUnits, toUnits } from '../decimal.ts'
import { parseAmount } from '../swap/swapState.ts'
import type { OnrampQuote, OnrampQuotes } from './onramp.ts'
import type { OnrampMethod } from './options.ts'

/** Decimals of a payment. */
export const moneyDecimals = 2

/** The first problem of a purchase, or `ready`. */
export type BuyStatus =
  | 'noAmount'
  | 'decimals'
  | 'tooLittle'
  | 'tooMuch'
  | 'quoting'
  | 'refused'
  | 'failed'
  | 'ready'

/** A purchase while the visitor edits it. */
export type BuyState = {
  status: BuyStatus
  /** The payment as a decimal number; undefined unless it is within the limits. */
  amount: string | undefined
  /** The chosen quote. */
  quote: OnrampQuote | undefined
}

/**
 * The state of a purchase. The first problem in the order of `BuyStatus` counts.
 *
 * @param parameters.text - the payment as typed
 * @param parameters.method - how to pay, with its limits
 * @param parameters.quotes - for exactly this purchase; undefined until they are known
 * @param parameters.provider - the chosen provider; without it, or without its quote, the best one
 */
export function buyState(parameters: {
  text: string
  method: OnrampMethod
  quotes: OnrampQuotes | undefined
  isFailed: boolean
  provider: string | undefined
}): BuyState {
  const { text, method, quotes, isFailed, provider } = parameters
  const without = (status: BuyStatus) => ({ status, amount: undefined, quote: undefined })
  const cents = parseAmount(text, moneyDecimals)
  if (cents === undefined) return without('decimals')
  if (cents === 0n) return without('noAmount')
  if (cents < toUnits(method.min, moneyDecimals)) return without('tooLittle')
  if (cents > toUnits(method.max, moneyDecimals)) return without('tooMuch')
  const amount = fromUnits(cents, moneyDecimals)
  const quote = quotes?.quotes.find((one) => one.provider === provider) ?? quotes?.quotes[0]
  if (quote) return { status: 'ready', amount, quote }
  const status = quotes ? 'refused' : isFailed ? 'failed' : 'quoting'
  return { status, amount, quote: undefined }
}
