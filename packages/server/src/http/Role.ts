import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpContext } from './access.ts'
import type { Answers } from './answers.ts'

export type Method = 'GET' | 'POST'

export type Handler = (c: HttpContext) => Response | Promise<Response>

/** Handlers by path and method. A `GET` handler also handles `HEAD`. */
export type Routes = Readonly<Record<string, Partial<Record<Method, Handler>>>>

/** A role's routes, with functions that create the handlers from the role's services. */
export type RouteTable<Service> = Readonly<
  Record<string, Partial<Record<Method, (service: Service) => Handler>>>
>

export type RoleHealth = {
  isUp: boolean
  /** Added to the body of `GET /health`. */
  body: Record<string, unknown>
}

/** A role that runs in this process. */
export type Role = {
  routes: Routes
  /** Creates the responses that the server itself sends on the role's paths, such as a 404, 405 or 500. */
  answers: Answers
  /** Responds to preflights for the role's paths. */
  preflight: (c: HttpContext) => Response
  health?: () => RoleHealth
  /** Handles the HTTP server's `upgrade` event. */
  upgrade?: (request: IncomingMessage, stream: Duplex, head: Buffer) => void
  /** Responds to a path that belongs to no role. If every role returns `undefined`, the server responds with a 404. */
  fallback?: (c: HttpContext) => Promise<Response | undefined> | undefined
  /** Converts errors that only this role's handlers throw to responses. The server handles other errors. */
  onError?: (error: unknown) => Response | undefined
  /**
   * Called once the server listens. Starts the role's periodic jobs.
   *
   * @param url - base URL of the role's listener on this machine, without a path.
   */
  onListening?: (url: string) => void
  /** Stops accepting work, waits up to `graceMs` for work in progress, and closes every handle. */
  close(graceMs: number): void | Promise<void>
}

/**
 * A port of the server. The secure frame has its own, because it needs an origin that it shares with nothing else.
 *
 * @see docs/contracts/frame-api.md#origin
 */
export type ListenerName = 'main' | 'frame'

/** A role in the table of `roles.ts`. */
export type RoleModule<Context> = {
  /** The listener on which the role's routes exist; they do not exist on the other one. */
  listener: ListenerName
  /**
   * All paths of the role. Their first two segments are reserved for the role, even in processes that do not run it.
   */
  paths: readonly string[]
  create(context: Context): Role | Promise<Role>
}

/** Creates the handlers of a route table from a role's services. */
export function bindRoutes<Service>(table: RouteTable<Service>, service: Service): Routes {
  return Object.fromEntries(
    Object.entries(table).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, create]) => [method, create(service)]),
      ),
    ]),
  )
}
