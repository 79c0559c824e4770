import { limits } from '@gatefold/protocol'
import type * as v from 'valibot'
import { requestJson as request } from '../requestJson.ts'
import { ProviderError } from './OnrampProvider.ts'

/** Maximum size of a provider's response, in bytes. */
const maxResponseBytes = 2 * 1024 * 1024

/**
 * Sends a request to a provider's API and checks the response with a schema.
 *
 * @param options.isRefusal - the statuses for which `undefined` is returned: the provider understood the request, but
 *   has nothing to offer.
 * @throws {ProviderError} if there is no response in time, or it is not as documented.
 */
export async function requestJson<Schema extends v.GenericSchema>(options: {
  provider: string
  url: string
  schema: Schema
  headers: Record<string, string>
  /** Sent as JSON with `POST`; without it, the method is `GET`. */
  body?: unknown
  isRefusal?: (status: number) => boolean
}): Promise<v.InferOutput<Schema> | undefined> {
  const { provider, ...rest } = options
  return request({
    ...rest,
    timeoutMs: limits.onrampVendorTimeoutMs,
    maxBytes: maxResponseBytes,
    fail: (what) => new ProviderError(`${provider} ${what}`),
  })
}
