import type { HttpContext } from './access.ts'

type Cors = {
  /** Headers of the response, which determine the origins that may read it. */
  headers: Readonly<Record<string, string>>
  methods: string
  /** Headers that are allowed, unless `anyHeader` allows the requested ones. */
  allowHeaders?: string
  /** Whether all headers that a preflight requests are allowed. */
  anyHeader?: boolean
}

/** Creates a function that responds to CORS preflights. @see WHATWG Fetch, CORS-preflight request */
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
 * Adds headers that let a page read the response to a request with credentials. `sendBeacon` always sends
 * credentials, and browsers then require the exact origin instead of `*`. No handler reads the credentials.
 */
export function withCredentials(response: Response, origin: string | undefined): Response {
  if (!origin) return response
  response.headers.set('access-control-allow-origin', origin)
  response.headers.set('access-control-allow-credentials', 'true')
  response.headers.append('vary', 'origin')
  return response
}
