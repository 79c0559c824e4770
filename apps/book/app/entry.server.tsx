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
import { serverContext, type ServerContext } from './config.ts'
import { RequestContext } from './parts/requestContext.ts'

/**
 * Creates the request handler. Defined in the bundle rather than in the server, so that it uses the
 * same copy of React Router as the pages.
 */
export function createHandler(build: ServerBuild, mode: 'production' | 'development') {
  const handle = createRequestHandler(build, mode)
  return (request: Request, server: ServerContext): Promise<Response> => {
    const context = new RouterContextProvider()
    context.set(serverContext, server)
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
  const { nonce } = context.get(serverContext)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const body = await renderToReadableStream(
    <RequestContext value={{ nonce, cookie: request.headers.get('cookie') ?? undefined }}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </RequestContext>,
    {
      nonce,
      signal: request.signal,
      onError(error) {
        if (!request.signal.aborted) report(error, request)
      },
    },
  )
  // Some crawlers do not run scripts, so they receive the document once all Suspense boundaries have resolved.
  if (isbot(request.headers.get('user-agent'))) await body.allReady
  return new Response(body, { status, headers })
}

/** Called by React Router for every error thrown by a loader. Route errors (404, 405) are not logged. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return
  report(error, request)
}

/** Logs an error as one JSON line. The visitor sees no details. */
function report(error: unknown, request: Request) {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  const path = new URL(request.url).pathname
  const line = { level: 'error', event: 'book.page_failed', path, name, message, stack }
  process.stderr.write(`${JSON.stringify(line)}\n`)
}
