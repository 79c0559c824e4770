import * as v from 'valibot'
import { readUpTo } from '../http/readUpTo.ts'

/**
 * Sends a request to the API of a vendor that the operator has configured, and checks the response with a schema.
 * Redirects are not followed, so that no other host is requested.
 *
 * @param options.maxBytes - maximum size of the response, decompressed.
 * @param options.isRefusal - the statuses for which `undefined` is returned: the vendor understood the request, but
 *   has nothing to offer.
 * @param options.onRefusal - called with the parsed body of such a response; with `undefined` if it is too large or not
 *   JSON.
 * @param options.fail - creates the error that is thrown if no response arrives in time, or if it is too large or does
 *   not match the schema. The error's text contains nothing that the vendor sent.
 */
export async function requestJson<Schema extends v.GenericSchema>(options: {
  url: string
  schema: Schema
  timeoutMs: number
  maxBytes: number
  fail: (what: string) => Error
  headers?: Record<string, string>
  /** Sent as JSON with `POST`; without it, the method is `GET`. */
  body?: unknown
  isRefusal?: ((status: number) => boolean) | undefined
  onRefusal?: ((body: unknown) => void) | undefined
}): Promise<v.InferOutput<Schema> | undefined> {
  const { fail, isRefusal, onRefusal, schema } = options
  const received = await receive(options).catch(() => undefined)
  if (!received) throw fail('did not respond')
  const { bytes, status } = received
  if (status !== undefined) {
    if (!isRefusal?.(status)) throw fail(`responded with status ${status}`)
    onRefusal?.(parse(bytes))
    return undefined
  }
  if (!bytes) throw fail('sent too large a response')
  const text = bytes.toString('utf8')
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  if (!parsed.success) throw fail('sent a response that does not match its documentation')
  return parsed.output
}

type Request = {
  url: string
  timeoutMs: number
  maxBytes: number
  headers?: Record<string, string>
  body?: unknown
  onRefusal?: ((body: unknown) => void) | undefined
}

function parse(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '')
  } catch {
    return undefined
  }
}

/** @returns the body, unless it is too large; for an error, the status, and the body only if refusals are read. */
async function receive(request: Request): Promise<{
  status?: number
  bytes?: Buffer | undefined
}> {
  const { url, timeoutMs, maxBytes, headers, body, onRefusal } = request
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) {
    if (onRefusal)
      return { status: response.status, bytes: await readUpTo(response.body, maxBytes) }
    await response.body?.cancel()
    return { status: response.status }
  }
  return { bytes: await readUpTo(response.body, maxBytes) }
}
