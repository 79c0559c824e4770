import type { Context as Request } from 'hono'
import { clientAddress } from '../clientAddress.ts'
import type { Context } from '../context.ts'
import { admits, defaultProjectId, type Project } from '../storage/projects.ts'
import { refuse } from './answer.ts'

/** What node-server hands to a handler beside the request; absent when tests call the app. */
export type Env = {
  Bindings: {
    incoming?: {
      headers?: Record<string, string | string[] | undefined>
      socket: { remoteAddress?: string | undefined }
    }
  }
}

export type GatewayRequest = Request<Env>

export type Access = {
  /** Price in tokens of the rate limits. */
  cost?: number
  /** Status of a refused origin; `undefined` lets every origin in. */
  refusedOrigin?: 401 | 403 | undefined
  /** Where it is not in the query. */
  projectId?: string | undefined
}

/**
 * Lets a request in, or says why not: rate limits of its address, its project, its origin, the
 * rate limits of the project. A request without a project id belongs to the default project.
 *
 * @returns the project, or the answer that refuses. At once when the project is in memory.
 */
export function enter(
  context: Context,
  c: GatewayRequest,
  access: Access = { refusedOrigin: 401 },
): Project | Response | Promise<Project | Response> {
  const { cost = 1, refusedOrigin } = access
  const refusal = limit(context, 'address', addressOf(context, c), cost)
  if (refusal) return refusal
  const id = access.projectId ?? (c.req.query('projectId') || defaultProjectId)
  const origin = readHeader(c, 'origin')
  const decide = (project: Project | undefined) => {
    if (!project?.active)
      return refuse(401, {
        field: 'projectId',
        description: project ? 'the project is not active' : 'there is no project with this id',
      })
    if (refusedOrigin !== undefined && !admits(project, origin))
      return refuse(refusedOrigin, {
        field: 'origin',
        description: `the project does not allow the origin ${origin}`,
      })
    return limit(context, 'project', id, cost) ?? project
  }
  // Ids are short; anything else is not looked up.
  const found = id.length <= 64 ? context.projects.get(id) : undefined
  return found instanceof Promise ? found.then(decide) : decide(found)
}

/**
 * A header of a request. Node has parsed all of them already; asking the `Request` would make it
 * build a `Headers` object, which costs more than the rest of a short answer.
 */
export function readHeader(c: GatewayRequest, name: string): string | undefined {
  const headers = c.env?.incoming?.headers
  if (!headers) return c.req.header(name)
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Takes from a bucket; a refusal says in whole seconds when to come back. */
export function limit(context: Context, bucket: Bucket, key: string, cost: number) {
  const seconds = secondsUntilRoom(context, bucket, key, cost)
  if (seconds === undefined) return undefined
  return refuse(
    429,
    {
      field: bucket === 'address' ? 'ip' : 'projectId',
      description: `too many requests; try again in ${seconds} s`,
    },
    { 'retry-after': String(seconds) },
  )
}

type Bucket = 'address' | 'project'

/** Takes tokens, or says after how many whole seconds there are enough; `undefined` when it took them. */
export function secondsUntilRoom(
  context: Context,
  bucket: Bucket,
  key: string,
  cost: number,
): number | undefined {
  const waitMs = context.limits[bucket].take(key, cost)
  if (waitMs === 0) return undefined
  context.metrics.limited.inc({ bucket })
  return Math.max(1, Math.ceil(waitMs / 1000))
}

/** The address to count a request on. */
export function addressOf({ config }: Context, c: GatewayRequest): string {
  return clientAddress(config, {
    forwardedFor: readHeader(c, 'x-forwarded-for'),
    remoteAddress: c.env?.incoming?.socket.remoteAddress,
  })
}
