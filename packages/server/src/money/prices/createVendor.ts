import { limits } from '@gatefold/protocol'
import type * as v from 'valibot'
import { requestJson } from '../requestJson.ts'
import { PriceSourceError } from './PriceSource.ts'

/**
 * Creates a function that sends GET requests to a vendor of prices or exchange rates. After a failure, the vendor gets no
 * request for {@link limits.priceVendorPauseMs}, so that it delays only one response.
 *
 * @throws {PriceSourceError} if there is no response in time, or it is not as documented.
 */
export function createVendor(name: string, now: () => number) {
  let pausedUntil = 0
  return async <Schema extends v.GenericSchema>(
    url: string,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> => {
    if (now() < pausedUntil) throw new PriceSourceError(`${name} failed recently`)
    try {
      return await requestJson({
        url,
        schema,
        timeoutMs: limits.priceVendorTimeoutMs,
        maxBytes: limits.priceVendorBytes,
        fail: (what) => new PriceSourceError(`${name} ${what}`),
      })
    } catch (error) {
      pausedUntil = now() + limits.priceVendorPauseMs
      throw error
    }
  }
}
