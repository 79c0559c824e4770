import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpContext } from './access.ts'
import type { Answers } from './answers.ts'

export type Method = 'GET' | 'POST'

export type Handler = (c: HttpContext) => Response | Promise<Response>

/** Handlers by path and method. A `GET` handler also handles `HEAD`. */
export type Routes = Readonly<Record<string, Partial<Record<Method, Handler>>>>

/** A role's routes before its handlers get their services, so that its paths are known before it runs. */
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
  /** Creates the server's responses for the role's paths: unknown path or method, errors. */
  answers: Answers
  /** Responds to preflights for the role's paths. */
  preflight: (c: HttpContext) => Response
  health?: () => RoleHealth
  /** Handles the HTTP server's `upgrade` event. */
  upgrade?: (request: IncomingMessage, stream: Duplex, head: Buffer) => void
  /** Responds to paths of no role. Called if no role's route matches; `undefined` results in a 404. */
  fallback?: (c: HttpContext) => Promise<Response | undefined> | undefined
  /** Converts errors that only this role's handlers throw to responses; the server handles the others. */
  onError?: (error: unknown) => Response | undefined
  /** Starts the role's periodic jobs; called once the server listens. */
  onListening?: () => void
  /** Stops accepting work, waits up to `graceMs` for work in progress, and closes every handle. */
  close(graceMs: number): void | Promise<void>
}

/** A role as `roles.ts` lists it. */
export type RoleModule<Context> = {
  /**
   * All paths of the role. Their first segments are reserved for the role, even in processes that do not
   * run it.
   */
  paths: readonly string[]
  create(context: Context): Role | Promise<Role>
}

/** Passes services to the handlers of a route table. */
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
