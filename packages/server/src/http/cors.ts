import type { HttpContext } from './access.ts'

type Cors = {
  /** Headers of the answer; they decide which origins may read. */
  headers: Readonly<Record<string, string>>
  methods: string
  /** Request headers that are allowed when the preflight names none. */
  allowHeaders?: string
  /** Whether any request header that a preflight names is allowed. */
  anyHeader?: boolean
}

/** Answers CORS preflights. @see WHATWG Fetch, CORS-preflight request */
export function createPreflight({ headers, methods, allowHeaders = '', anyHeader }: Cors) {
  return (c: HttpContext): Response => {
    const requested = c.req.header('access-control-request-headers')
    const isUsable = anyHeader && requested && /^[\w\-, ]{1,500}$/.test(requested)
    return new Response(null, {
      status: 204,
      headers: {
        ...headers,
        'access-control-allow-methods': methods,
        'access-control-allow-headers': isUsable ? requested : allowHeaders,
        'access-control-max-age': '86400',
        vary: 'access-control-request-headers',
      },
    })
  }
}

/**
 * Lets a page read the answer to a request with credentials. `sendBeacon` always includes them, and
 * browsers then require the origin by name. No handler reads them.
 */
export function withCredentials(response: Response, origin: string | undefined): Response {
  if (!origin) return response
  response.headers.set('access-control-allow-origin', origin)
  response.headers.set('access-control-allow-credentials', 'true')
  response.headers.append('vary', 'origin')
  return response
}
