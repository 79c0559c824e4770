import type * as v from 'valibot'
import { requestJson } from './requestJson.ts'

/**
 * Creates a function that sends GET requests to a vendor. After a failure, the
 * vendor gets no request for `pauseMs`, so that it delays only one response. A
 * refusal does not count as a failure, because clients can cause refusals.
 *
 * @param options.fail - creates the error that is thrown if there is no response in time, it is not as documented, or the
 *   vendor failed recently. `what` contains nothing that the vendor sent.
 * @param options.isRefusal - as in `requestJson`.
 */
export function createVendor(options: {
  now: () => number
  pauseMs: number
  timeoutMs: number
  maxBytes: number
  fail: (what: string) => Error
  headers?: Record<string, string>
  isRefusal?: (status: number) => boolean
}) {
  const { now, pauseMs, ...request } = options
  let pausedUntil = 0
  return async <Schema extends v.GenericSchema>(
    url: string,
    schema: Schema,
    onRefusal?: (body: unknown) => void,
  ): Promise<v.InferOutput<Schema> | undefined> => {
    if (now() < pausedUntil) throw options.fail('failed recently')
    try {
      return await requestJson({ ...request, url, schema, onRefusal })
    } catch (error) {
      pausedUntil = now() + pauseMs
      throw error
    }
  }
}
