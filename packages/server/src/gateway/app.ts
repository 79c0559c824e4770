import { Hono } from 'hono'
import type { Context } from '../context.ts'
import { ChainUnavailableError } from '../rpc/createChain.ts'
import { StorageUnavailableError } from '../storage/StorageUnavailableError.ts'
import type { Env, GatewayRequest } from './access.ts'
import { everyAnswer, forBeacon, refuse } from './answer.ts'
import { postEvent, postEventBatch } from './events.ts'
import { getHealth, getLiveness, getMetrics, type PartHealth } from './health.ts'
import { getImage } from './images.ts'
import { getAnalyticsConfig, getConfig, getOrigins, getProjectLimits } from './project.ts'
import { getRpc, postRpc } from './rpc.ts'
import { getSupportedChains } from './supportedChains.ts'
import { getWallets } from './wallets.ts'

type Handler = (c: GatewayRequest) => Response | Promise<Response>

type Routes = Record<string, Partial<Record<'GET' | 'POST', Handler>>>

/** What another role of this process adds: its routes, and its part of `/health`. */
export type Part = {
  routes: Routes
  health?: () => PartHealth
  /** Asked where no route is; `undefined` leaves it at that. */
  otherwise?: (c: GatewayRequest) => Promise<Response | undefined> | undefined
}

/**
 * What the configured roles answer over HTTP, as a function from `Request` to `Response`.
 * Every answer is made by `answer.ts` or carries its headers, so that none can lack them.
 *
 * @param parts - what other roles of this process add. Without the role `gateway` these, health and
 * metrics are all there is.
 * @see docs/gateway.md and docs/verify.md for the routes
 */
export function createGatewayApp(context: Context, parts: readonly Part[] = []) {
  const routes: Routes = {
    ...(context.config.roles.includes('gateway') && gatewayRoutes(context)),
    ...Object.assign({}, ...parts.map((part) => part.routes)),
    '/health': { GET: getHealth(context, parts) },
    '/health/live': { GET: getLiveness() },
    '/metrics': { GET: getMetrics(context) },
  }

  // Clients ask for both `/v1` and `/v1/`.
  const app = new Hono<Env>({ strict: false })
  for (const [path, handlers] of Object.entries(routes)) {
    // One handler for each method and path: Hono calls a lone one without its middleware machinery.
    for (const [method, handler] of Object.entries(handlers))
      app.on(method, path, observed(path, handler))
    const others = methods.filter((method) => !(method in handlers))
    app.on(others, path, (c) => refuseMethod(c, Object.keys(handlers)))
    app.options(path, (c) => preflight(c, beaconPaths.has(path)))
  }
  app.options('*', (c) => preflight(c))
  app.notFound(async (c) => {
    for (const part of parts) {
      const found = await part.otherwise?.(c)
      if (found) return found
    }
    const description = `there is nothing at ${c.req.path.slice(0, 200)}`
    return refuse(404, { field: 'path', description })
  })
  app.onError((error) => {
    if (error instanceof ChainUnavailableError)
      return refuse(
        503,
        { field: 'chainId', description: error.shortMessage },
        { 'retry-after': '5' },
      )
    if (error instanceof StorageUnavailableError) {
      context.log.error({ err: error }, 'the database does not answer')
      return refuse(
        503,
        { field: 'server', description: error.shortMessage },
        { 'retry-after': '5' },
      )
    }
    context.log.error({ err: error }, 'a request failed')
    return refuse(500, { field: 'server', description: 'something failed here; the log says what' })
  })
  return app

  /** Counts and times what a handler answers. */
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

/** @see docs/gateway.md */
function gatewayRoutes(context: Context): Routes {
  const { images } = context
  return {
    '/getWallets': { GET: getWallets(context) },
    '/getWalletImage/:id': { GET: getImage(images.wallets) },
    '/public/getAssetImage/:id': { GET: getImage(images.assets) },
    '/public/getCurrencyImage/:id': { GET: getImage(images.currencies, { ignoreCase: true }) },
    '/public/getTokenImage/:id': { GET: getImage(images.tokens, { ignoreCase: true }) },
    '/appkit/v1/config': { GET: getConfig(context) },
    '/appkit/v1/project-limits': { GET: getProjectLimits(context) },
    '/projects/v1/origins': { GET: getOrigins(context) },
    '/getAnalyticsConfig': { GET: getAnalyticsConfig(context) },
    '/e': { POST: postEvent(context) },
    '/batch': { POST: postEventBatch(context) },
    '/v1': { GET: getRpc(), POST: postRpc(context) },
    '/v1/supported-chains': { GET: getSupportedChains(context) },
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function refuseMethod(c: GatewayRequest, handled: string[]): Response {
  const allow = [...handled, ...(handled.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  const description = `${c.req.method} is not possible here; possible are ${allow}`
  return refuse(405, { field: 'method', description }, { allow })
}

/** Where official clients send by `sendBeacon`. */
const beaconPaths = new Set(['/e', '/batch'])

/** Headers official clients ask leave for, when a preflight does not name its own. */
const usualHeaders =
  'content-type, x-sdk-type, x-sdk-version, x-nonce-jwt, x-otp, authorization, solana-client'

function preflight(c: GatewayRequest, isBeacon = false): Response {
  const asked = c.req.header('access-control-request-headers')
  const response = new Response(null, {
    status: 204,
    headers: {
      ...everyAnswer,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
      'access-control-allow-headers':
        asked && /^[\w\-, ]{1,500}$/.test(asked) ? asked : usualHeaders,
      'access-control-max-age': '86400',
      vary: 'access-control-request-headers',
    },
  })
  return isBeacon ? forBeacon(response, c.req.header('origin')) : response
}
