import type { Context } from '../context.ts'
import { readHeader, type HttpContext } from '../http/access.ts'
import { createPreflight } from '../http/cors.ts'
import type { Handler, Role } from '../http/Role.ts'
import { postRpc } from '../gateway/rpc.ts'
import { frameAnswers } from './answers.ts'
import { createSite } from './site.ts'

export const framePaths = ['/sdk', '/assets/:name', '/rpc']

/** The server of the secure frame. @see docs/contracts/frame-api.md */
export function createFrameRole(context: Context): Role {
  const site = createSite(context)
  const rpc = postRpc(
    { ...context, chains: context.chains.byId, refuse: frameAnswers.refuse },
    { refusedOrigin: undefined },
  )
  let stopProbing: (() => void) | undefined
  return {
    routes: {
      '/sdk': { GET: site.document },
      '/assets/:name': { GET: site.asset },
      '/rpc': { POST: fromOwnPages(rpc) },
    },
    answers: frameAnswers,
    // No page of another origin may send requests, so that a preflight allows nothing.
    preflight: createPreflight({ headers: frameAnswers.headers, methods: '' }),
    onListening() {
      stopProbing = context.chains.keepProbing()
    },
    close: () => stopProbing?.(),
  }
}

/** Refuses requests of pages of other origins. Their origins are in the request, or the browser says that they differ. */
function fromOwnPages(handler: Handler): Handler {
  return (c: HttpContext) => {
    const site = readHeader(c, 'sec-fetch-site')
    if (site === undefined || site === 'same-origin') return handler(c)
    return frameAnswers.refuse(403, {
      field: 'origin',
      description: 'only the pages of the frame may send requests to it',
    })
  }
}
