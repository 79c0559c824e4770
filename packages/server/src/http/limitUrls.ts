import type { HttpBindings } from '@hono/node-server'
import { publicAnswers } from './answers.ts'
import type { Fetch } from './limitMemory.ts'

/** Maximum length of the path and query of a URL, in characters. The question of a name resolver is up to 16 KiB long. */
const maxLength = 20_000
/** The path whose URLs have only the limit of the headers: lists of wallet ids are long, 1,000 ids are 65 KB. */
const longPath = /^\/getWallets\/?\?/
/** Maximum number of query parameters. */
const maxParameters = 100

/**
 * Refuses requests with a URL that takes long to read, before anything reads it: each read of a query decodes every
 * parameter, and each invalid escape costs an exception.
 *
 * @see docs/threats.md#event-loop
 */
export function limitUrls(fetch: Fetch): Fetch {
  return (request, bindings) => {
    const problem = checkUrl((bindings as HttpBindings).incoming.url)
    if (!problem) return fetch(request, bindings)
    return publicAnswers.refuse(problem.status, { field: 'url', description: problem.description })
  }
}

/**
 * Checks the path and query of a request.
 *
 * @returns why the URL is refused, or `undefined`.
 */
export function checkUrl(url = ''): { status: 400 | 414; description: string } | undefined {
  if (url.length > maxLength && !longPath.test(url))
    return { status: 414, description: `the URL is longer than ${maxLength} characters` }
  if (url.split('&', maxParameters + 1).length > maxParameters)
    return { status: 400, description: `the URL has more than ${maxParameters} parameters` }
  try {
    decodeURIComponent(url)
  } catch {
    return { status: 400, description: 'the URL contains an invalid percent-encoding' }
  }
  return undefined
}
