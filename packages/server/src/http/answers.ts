import type { Reason, Reasons } from '@gatefold/protocol/gateway'

type Headers = Readonly<Record<string, string>>

/** Headers of every answer of every role: nothing is sniffed, framed or run. */
export const commonHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** CORS headers that let any page read an answer. Only for answers that depend on no cookie. */
export const publicHeaders = {
  ...commonHeaders,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, retry-after',
} as const

export type Answers = {
  /** Headers of every answer. */
  headers: Headers
  /** Headers of a JSON answer that is not cached. */
  jsonHeaders: Headers
  /** A JSON answer. The body is never empty: official clients parse every success. */
  json: (body: unknown, status?: number, headers?: Headers) => Response
  /** An error in the shape of the public servers. */
  refuse: (status: number, reasons: Reason | Reason[], headers?: Headers) => Response
}

/** Makes a role's answers, errors included, with the same headers. */
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

/** Answers that any page can read. */
export const publicAnswers = createAnswers(publicHeaders)
