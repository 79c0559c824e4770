import { limits } from '@gatefold/protocol'
import type * as v from 'valibot'
import { createVendor } from '../createVendor.ts'
import { PriceSourceError } from './PriceSource.ts'

/**
 * Creates a function that sends GET requests to a vendor for prices or exchange
 * rates.
 *
 * @throws {PriceSourceError} if there is no response in time, or it is not as documented.
 */
export function createPriceVendor(name: string, now: () => number) {
  const request = createVendor({
    now,
    pauseMs: limits.priceVendorPauseMs,
    timeoutMs: limits.priceVendorTimeoutMs,
    maxBytes: limits.priceVendorBytes,
    fail: (what) => new PriceSourceError(`${name} ${what}`),
  })
  return async <Schema extends v.GenericSchema>(
    url: string,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> => request(url, schema)
}
