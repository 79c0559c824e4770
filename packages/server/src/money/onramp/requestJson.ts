import { limits } from '@gatefold/protocol'
import * as v from 'valibot'
import { readUpTo } from '../../http/readUpTo.ts'
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
  const { provider, url, schema, headers, body, isRefusal } = options
  const fail = (what: string) => new ProviderError(`${provider} ${what}`)
  let text = ''
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'error',
      signal: AbortSignal.timeout(limits.onrampVendorTimeoutMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) {
      await response.body?.cancel()
      if (isRefusal?.(response.status)) return undefined
      throw fail(`responded with status ${response.status}`)
    }
    const bytes = await readUpTo(response.body, maxResponseBytes)
    if (!bytes) throw fail('sent too much')
    text = bytes.toString('utf8')
  } catch (error) {
    throw error instanceof ProviderError ? error : fail('did not respond')
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  if (!parsed.success) throw fail('responded with other fields than documented')
  return parsed.output
}
