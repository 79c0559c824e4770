import { isbot } from 'isbot'
import { renderToReadableStream } from 'react-dom/server'
import {
  createRequestHandler,
  isRouteErrorResponse,
  RouterContextProvider,
  ServerRouter,
  type EntryContext,
  type HandleErrorFunction,
  type ServerBuild,
} from 'react-router'
import { visitContext, type Visit } from './config.ts'
import { VisitContext } from './parts/visit.ts'

/**
 * Makes the function that answers requests. It stands in the bundle, not in the server around it,
 * so that both use one copy of React Router, in development too.
 */
export function createHandler(build: ServerBuild, mode: 'production' | 'development') {
  const handle = createRequestHandler(build, mode)
  return (request: Request, visit: Visit): Promise<Response> => {
    const context = new RouterContextProvider()
    context.set(visitContext, visit)
    return handle(request, context)
  }
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce } = context.get(visitContext)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const body = await renderToReadableStream(
    <VisitContext value={{ nonce, cookie: request.headers.get('cookie') ?? undefined }}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </VisitContext>,
    {
      nonce,
      signal: request.signal,
      onError(error) {
        if (!request.signal.aborted) report(error, request)
      },
    },
  )
  // Crawlers read no scripts, and so must not be handed holes that scripts would fill.
  if (isbot(request.headers.get('user-agent'))) await body.allReady
  return new Response(body, { status, headers })
}

/** Called by React Router for everything that a loader throws. Outcomes (404, 405) are no news. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return
  report(error, request)
}

/** One structured line per error; the visitor is told no more than that it happened. */
function report(error: unknown, request: Request) {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  const path = new URL(request.url).pathname
  const line = { level: 'error', event: 'book.page_failed', path, name, message, stack }
  process.stderr.write(`${JSON.stringify(line)}\n`)
}
