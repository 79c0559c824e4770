import type { Context as HonoContext } from 'hono'
import type { Context } from '../context.ts'
import { allowsOrigin, defaultProjectId, type Project } from '../storage/projects.ts'
import type { Answers } from './answers.ts'
import { clientAddress } from './clientAddress.ts'

/** Bindings of `@hono/node-server` and `takeTurns`; may be absent when tests call the app directly. */
export type Env = {
  Bindings: {
    incoming?: {
      headers?: Record<string, string | string[] | undefined>
      httpVersion?: string
      socket: { remoteAddress?: string | undefined }
    }
    /** Waits until it is the turn of the request's address; returns `undefined` if it is already. */
    enterTurn?: (bytes: number) => Promise<void> | undefined
    /** Resolves in a later turn of the request's address. */
    nextTurn?: (bytes: number) => Promise<void>
  }
}

/** Hono's context of one request. */
export type HttpContext = HonoContext<Env>

/** Services that rate limits need. */
export type LimitContext = Pick<Context, 'limits' | 'metrics'> & {
  config: Pick<Context['config'], 'trustedProxies'>
}

/** Services that access checks need; `refuse` creates the role's error responses. */
export type AccessContext = LimitContext & Pick<Context, 'projects'> & Pick<Answers, 'refuse'>

export type Access = {
  /** Cost of the request, in tokens of the rate limits. */
  cost?: number
  /** Status of the response to a refused origin; `undefined` allows every origin. */
  refusedOrigin?: 401 | 403 | undefined
  /** Overrides the project id in the query. */
  projectId?: string | undefined
}

/**
 * Checks, in this order, the address's rate limit, the project, the origin and the project's rate limit.
 * A request without a project id belongs to the default project.
 *
 * @returns the project, or the response that refuses the request. Synchronous if the project is cached.
 */
export function enter(
  context: AccessContext,
  c: HttpContext,
  access: Access = { refusedOrigin: 401 },
): Project | Response | Promise<Project | Response> {
  const { cost = 1, refusedOrigin } = access
  const refusal = limit(context, 'address', addressOf(context, c), cost)
  if (refusal) return refusal
  const id = access.projectId ?? (c.req.query('projectId') || defaultProjectId)
  const origin = readHeader(c, 'origin')
  const decide = (project: Project | undefined) => {
    if (!project?.active)
      return context.refuse(401, {
        field: 'projectId',
        description: project ? 'the project is not active' : 'there is no project with this id',
      })
    if (refusedOrigin !== undefined && !allowsOrigin(project, origin))
      return context.refuse(refusedOrigin, {
        field: 'origin',
        description: `the project does not allow the origin ${origin}`,
      })
    return limit(context, 'project', id, cost) ?? project
  }
  const found = context.projects.get(id)
  return found instanceof Promise ? found.then(decide) : decide(found)
}

/**
 * Takes more tokens for a request from the buckets of its address and project. Used for batches
 * and expensive calls, whose cost is known only after {@link enter}.
 *
 * @returns the response that refuses the request, if a bucket has too few tokens.
 */
export function charge(
  context: LimitContext & Pick<Answers, 'refuse'>,
  c: HttpContext,
  project: Project,
  cost: number,
): Response | undefined {
  return (
    limit(context, 'address', addressOf(context, c), cost) ??
    limit(context, 'project', project.id, cost)
  )
}

/**
 * Reads a header of a request from Node's parsed headers. `Request.headers` would create a `Headers` object,
 * which costs more than the rest of a short response.
 */
export function readHeader(c: HttpContext, name: string): string | undefined {
  const headers = c.env?.incoming?.headers
  if (!headers) return c.req.header(name)
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Takes tokens from a bucket, or returns a 429 with `Retry-After` in whole seconds. */
export function limit(
  context: LimitContext & Pick<Answers, 'refuse'>,
  bucket: Bucket,
  key: string,
  cost: number,
) {
  const seconds = secondsUntilRoom(context, bucket, key, cost)
  if (seconds === undefined) return undefined
  return context.refuse(
    429,
    {
      field: bucket === 'project' || bucket === 'projectEvents' ? 'projectId' : 'ip',
      description: `too many requests; try again in ${seconds} s`,
    },
    { 'retry-after': String(seconds) },
  )
}

type Bucket = 'address' | 'project' | 'names' | 'addressEvents' | 'projectEvents'

/**
 * Takes tokens from a bucket.
 *
 * @returns `undefined` if there were enough, otherwise the whole seconds until there are.
 */
export function secondsUntilRoom(
  context: LimitContext,
  bucket: Bucket,
  key: string,
  cost: number,
): number | undefined {
  const waitMs = context.limits[bucket].take(key, cost)
  if (waitMs === 0) return undefined
  context.metrics.limited.inc({ bucket })
  return Math.max(1, Math.ceil(waitMs / 1000))
}

/** The address whose rate limit applies to a request. */
export function addressOf({ config }: LimitContext, c: HttpContext): string {
  return clientAddress(config, {
    forwardedFor: readHeader(c, 'x-forwarded-for'),
    remoteAddress: c.env?.incoming?.socket.remoteAddress,
  })
}
