import { onrampPaymentMethods } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import { hmac, isEqual } from './signatures.ts'

const Terms = v.object({
  provider: v.string(),
  chainId: v.string(),
  symbol: v.string(),
  paymentCurrency: v.string(),
  method: v.picklist(onrampPaymentMethods),
  paymentTotal: v.string(),
  fee: v.string(),
  networkFee: v.string(),
  purchaseAmount: v.string(),
  /** Unix time in ms. */
  expiresAt: v.number(),
})

/**
 * The terms of a quote, all of which an order adopts. Amounts are decimal
 * numbers, as text.
 */
export type Terms = v.InferOutput<typeof Terms>

/**
 * Creates the id of a quote: its terms with a signature, so that every process can read it and no client can change
 * it.
 *
 * @param key - a secret that all processes share.
 */
export function sealTerms(terms: Terms, key: Buffer): string {
  const text = Buffer.from(JSON.stringify(terms)).toString('base64url')
  return `${text}.${sign(text, key)}`
}

/** @returns the terms; `undefined` if the id was changed or its quote has expired. */
export function openTerms(id: string, key: Buffer, now: number): Terms | undefined {
  const [text = '', signature = ''] = id.split('.', 2)
  if (!isEqual(signature, sign(text, key))) return undefined
  const terms = v.parse(Terms, JSON.parse(Buffer.from(text, 'base64url').toString()))
  return terms.expiresAt > now ? terms : undefined
}

function sign(text: string, key: Buffer): string {
  return hmac(key, text).toString('base64url')
}
