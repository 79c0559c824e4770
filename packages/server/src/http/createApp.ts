import { Hono } from 'hono'
import type { Context } from '../context.ts'
import { StorageUnavailableError } from '../storage/StorageUnavailableError.ts'
import type { Env, HttpContext } from './access.ts'
import { publicAnswers, type Answers } from './answers.ts'
import { createPreflight } from './cors.ts'
import type { Handler, Role } from './Role.ts'

/**
 * Combines the running roles into one Hono app, which maps a `Request` to a `Response`.
 *
 * A request path belongs to the role that has a route with the same first two segments, otherwise to the first role
 * that has a route with the same first segment. Error responses, and responses to unknown methods and paths, have the
 * headers of that role.
 *
 * @param options.running - the roles of the listener that this process runs, by name.
 * @param options.paths - the paths of the listener's roles, including those that this process does not run, by name.
 * @param options.own - routes of the server itself, which do not depend on the roles.
 * @see docs/gateway.md and docs/verify.md for the routes
 */
export function createApp(
  context: Pick<Context, 'log' | 'metrics'>,
  options: {
    running: ReadonlyMap<string, Role>
    paths: Readonly<Record<string, readonly string[]>>
    own?: readonly Role[]
  },
) {
  const { running, own = [] } = options
  const names = new Map<string, string>()
  for (const [name, paths] of Object.entries(options.paths))
    for (const segments of paths.flatMap(leadingSegments))
      if (!names.has(segments)) names.set(segments, name)
  const reserved = new Set(
    own.flatMap(({ routes }) => Object.keys(routes)).flatMap(leadingSegments),
  )

  // `/v1` and `/v1/` are the same path, because clients use both.
  const app = new Hono<Env>({ strict: false })
  for (const role of [...running.values(), ...own])
    for (const [path, handlers] of Object.entries(role.routes)) {
      // Registers only one handler for each method and path, so that Hono does not compose middleware.
      for (const [method, handler] of Object.entries(handlers))
        app.on(method, path, observed(path, handler))
      const others = methods.filter((method) => !(method in handlers))
      app.on(others, path, (c) => refuseMethod(role.answers, c, Object.keys(handlers)))
      app.options(path, role.preflight)
    }
  app.options('*', (c) => (roleOf(c)?.preflight ?? preflight)(c))
  app.notFound(async (c) => {
    const { refuse } = roleOf(c)?.answers ?? publicAnswers
    const name = nameOf(c)
    if (name === undefined && !leadingSegments(c.req.path).some((it) => reserved.has(it)))
      for (const role of running.values()) {
        const found = await role.fallback?.(c)
        if (found) return found
      }
    const description =
      name !== undefined && !running.has(name)
        ? `the role ${name}, which answers this path, does not run here`
        : `there is nothing at ${c.req.path.slice(0, 200)}`
    return refuse(404, { field: 'path', description })
  })
  app.onError((error, c) => {
    const role = roleOf(c)
    const { refuse } = role?.answers ?? publicAnswers
    const answer = role?.onError?.(error)
    if (answer) return answer
    if (error instanceof StorageUnavailableError) {
      context.log.error({ err: error }, 'the database is unavailable')
      return refuse(
        503,
        { field: 'server', description: error.shortMessage },
        { 'retry-after': '5' },
      )
    }
    // Node's error if the connection closes before the end of the body. The response cannot be sent.
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET')
      return refuse(400, { field: 'body', description: 'the body did not end' })
    context.log.error({ err: error }, 'a request failed')
    return refuse(500, { field: 'server', description: 'internal error; the server has logged it' })
  })
  return app

  function nameOf(c: HttpContext): string | undefined {
    const known = leadingSegments(c.req.path).findLast((segments) => names.has(segments))
    return known === undefined ? undefined : names.get(known)
  }

  function roleOf(c: HttpContext): Role | undefined {
    const name = nameOf(c)
    return name === undefined ? undefined : running.get(name)
  }

  /** Wraps a handler to count and time its responses. */
  function observed(route: string, handler: Handler): Handler {
    return (c) => {
      const start = performance.now()
      const done = (response: Response) => {
        context.metrics.answered(route, response.status, (performance.now() - start) / 1000)
        return response
      }
      const response = handler(c)
      return response instanceof Promise ? response.then(done) : done(response)
    }
  }
}

/** A path's first segment and, if it has two, its first two segments. */
function leadingSegments(path: string): string[] {
  const [first = '', second] = path.split('/', 3).slice(1)
  return second ? [first, `${first}/${second}`] : [first]
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function refuseMethod({ refuse }: Answers, c: HttpContext, handled: string[]): Response {
  const allow = [...handled, ...(handled.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  const description = `${c.req.method} is not supported here; supported methods: ${allow}`
  return refuse(405, { field: 'method', description }, { allow })
}

/** Responds to preflights for paths that belong to no running role, so that a page can read the 404 that follows. */
const preflight = createPreflight({
  headers: publicAnswers.headers,
  methods: 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  anyHeader: true,
})
