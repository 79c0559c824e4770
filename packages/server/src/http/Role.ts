import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpContext } from './access.ts'
import type { Answers } from './answers.ts'

export type Method = 'GET' | 'POST'

export type Handler = (c: HttpContext) => Response | Promise<Response>

/** Handlers by path and method. A `GET` handler also answers `HEAD`. */
export type Routes = Readonly<Record<string, Partial<Record<Method, Handler>>>>

/** Routes of a role as functions of what its handlers use, so that its paths are known before it runs. */
export type RouteTable<Service> = Readonly<
  Record<string, Partial<Record<Method, (service: Service) => Handler>>>
>

export type RoleHealth = {
  isUp: boolean
  /** Added to the body of `GET /health`. */
  body: Record<string, unknown>
}

/** A running role: one of the servers of this process. */
export type Role = {
  routes: Routes
  /** Makes the server's answers for the role's paths: unknown path or method, errors. */
  answers: Answers
  /** Answers preflights of the role's paths. */
  preflight: (c: HttpContext) => Response
  health?: () => RoleHealth
  /** For the `upgrade` event of the HTTP server. */
  upgrade?: (request: IncomingMessage, stream: Duplex, head: Buffer) => void
  /** Answers paths of no role. Called when no route of any role matches; `undefined` gives a 404. */
  fallback?: (c: HttpContext) => Promise<Response | undefined> | undefined
  /** Answers errors that only this role's handlers throw; `undefined` leaves them to the server. */
  onError?: (error: unknown) => Response | undefined
  /** Starts the role's periodic jobs; called once the server listens. */
  onListening?: () => void
  /** Stops accepting work, waits up to `graceMs` for running work, and closes every handle. */
  close(graceMs: number): void | Promise<void>
}

/** A role as `roles.ts` lists it. */
export type RoleModule<Context> = {
  /**
   * Every path of the role; its first segment is reserved for the role, even in processes that do not run
   * it.
   */
  paths: readonly string[]
  create(context: Context): Role | Promise<Role>
}

/** Binds a route table to what its handlers use. */
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
