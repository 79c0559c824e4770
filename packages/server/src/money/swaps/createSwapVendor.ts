import { limits } from '@gatefold/protocol'
import * as v from 'valibot'
import { isAddress, isHex, maxUint256, type Address, type Hex } from 'viem'
import { createTokenBuckets } from '../../http/createTokenBuckets.ts'
import { createVendor } from '../createVendor.ts'
import { SwapSourceError } from './SwapSource.ts'

/** Statuses that mean a fault, the vendor's limits, or a wrong key or URL. The others from 400 to 499 refuse the swap. */
const faults = new Set([401, 402, 404, 405, 407, 408, 425, 429])

/** A whole number of at most 256 bits. */
export const Amount = v.pipe(
  v.string(),
  v.regex(/^\d{1,78}$/),
  v.transform((digits) => BigInt(digits)),
  v.check((amount) => amount <= maxUint256),
)

/** Above 0, because a swap must return something. */
export const SomeAmount = v.pipe(
  Amount,
  v.check((amount) => amount > 0n),
)

/** Gas of a transaction; vendors send it as a number or a string. */
export const Gas = v.pipe(
  v.union([v.pipe(v.number(), v.safeInteger(), v.transform(String)), v.string()]),
  v.regex(/^\d{1,8}$/),
  v.transform((digits) => BigInt(digits)),
)

export const VendorAddress = v.pipe(
  v.string(),
  v.check((text) => isAddress(text, { strict: false })),
  v.transform((text) => text as Address),
)

export const CallData = v.pipe(
  v.string(),
  v.check((text) => isHex(text) && text.length % 2 === 0),
  v.transform((text) => text as Hex),
)

/**
 * Creates a function that sends GET requests to a swap vendor.
 *
 * @param options.headers - contain the operator's key.
 * @returns the response, or the body of a refusal: the vendor understood the request, but has no such swap.
 * @throws {SwapSourceError} if there is no response in time, or it is not as documented.
 */
export function createSwapVendor(options: {
  name: string
  headers: Record<string, string>
  now: () => number
}) {
  const { name, headers, now } = options
  const buckets = createTokenBuckets({
    perSecond: limits.swapVendorPerSecond,
    burst: limits.swapVendorBurst,
    now,
  })
  const request = createVendor({
    now,
    headers,
    pauseMs: limits.swapVendorPauseMs,
    timeoutMs: limits.swapVendorTimeoutMs,
    maxBytes: limits.swapVendorBytes,
    isRefusal: (status) => status >= 400 && status < 500 && !faults.has(status),
    fail: (what) => new SwapSourceError(`${name} ${what}`),
  })
  return async <Schema extends v.GenericSchema>(
    url: string,
    query: Record<string, string>,
    schema: Schema,
  ): Promise<{ answer: v.InferOutput<Schema> } | { refusal: unknown }> => {
    // Clients cause these requests and the operator pays for them, so the rate
    // is limited.
    if (buckets.take(name) > 0) throw new SwapSourceError(`${name} got too many requests`)
    let refusal: unknown
    let isRefused = false
    const answer = await request(`${url}?${new URLSearchParams(query)}`, schema, (body) => {
      isRefused = true
      refusal = body
    })
    return isRefused ? { refusal } : { answer: answer as v.InferOutput<Schema> }
  }
}
