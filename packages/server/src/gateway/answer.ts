import type { Reason, Reasons } from '@gatefold/protocol/gateway'

/**
 * Headers of every answer, errors and images included: any page may read it (no cookie is ever
 * used), nobody may guess its type, frame it or run it.
 */
export const everyAnswer = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, retry-after',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** Headers of a JSON answer that is not kept. */
export const jsonHeaders = {
  ...everyAnswer,
  'content-type': 'application/json',
  'cache-control': 'no-store',
}

/** A JSON answer. The body is never empty: official clients parse every success. */
export function json(body: unknown, status = 200, headers?: Record<string, string>): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: headers ? { ...jsonHeaders, ...headers } : jsonHeaders,
  })
}

/** An error in the shape of the public servers. */
export function refuse(
  status: number,
  reasons: Reason | Reason[],
  headers?: Record<string, string>,
) {
  const body: Reasons = { status: 'FAILED', reasons: [reasons].flat() }
  return json(body, status, headers)
}

/**
 * Lets a page read an answer to a request that came with credentials. `sendBeacon` always sends
 * them, and a browser then wants the page's origin by name. There are no credentials here to use.
 */
export function forBeacon(response: Response, origin: string | undefined): Response {
  if (!origin) return response
  response.headers.set('access-control-allow-origin', origin)
  response.headers.set('access-control-allow-credentials', 'true')
  response.headers.append('vary', 'origin')
  return response
}
