import type { Reason, Reasons } from '@gatefold/protocol/gateway'

type Headers = Readonly<Record<string, string>>

/**
 * Headers of every role's responses. They prevent content sniffing, framing and the execution of the body. SVG
 * images and the pages of the verify service override the policy.
 */
export const commonHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** CORS headers that let any page read a response. Only for responses that do not depend on cookies. */
export const publicHeaders = {
  ...commonHeaders,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, retry-after',
} as const

export type Answers = {
  /** Headers of every response. */
  headers: Headers
  /** Headers of a JSON response that is not cached. */
  jsonHeaders: Headers
  /** Creates a JSON response. Its body is never empty, because official clients parse every successful response. */
  json: (body: unknown, status?: number, headers?: Headers) => Response
  /** Creates an error response in the format that the official servers use. */
  refuse: (status: number, reasons: Reason | Reason[], headers?: Headers) => Response
}

/** Returns functions that create a role's responses, including errors, with the same headers. */
export function createAnswers(headers: Headers): Answers {
  const jsonHeaders = {
    ...headers,
    'content-type': 'application/json',
    'cache-control': 'no-store',
  }
  const json: Answers['json'] = (body, status = 200, more) =>
    new Response(JSON.stringify(body), {
      status,
      headers: more ? { ...jsonHeaders, ...more } : jsonHeaders,
    })
  return {
    headers,
    jsonHeaders,
    json,
    refuse: (status, reasons, more) =>
      json({ status: 'FAILED', reasons: [reasons].flat() } satisfies Reasons, status, more),
  }
}

/** Creates responses that any page can read. */
export const publicAnswers = createAnswers(publicHeaders)
