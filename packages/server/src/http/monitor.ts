import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import { readHeader, type HttpContext } from './access.ts'
import { commonHeaders, publicAnswers } from './answers.ts'
import { createPreflight } from './cors.ts'
import type { Role } from './Role.ts'

/** How long `GET /health` waits for the database. */
const pingMs = 2_000

const { headers, json, refuse } = publicAnswers

/** Serves health and metrics to operators. Runs in every process, whatever its roles. */
export function createMonitor(context: MonitorContext, roles: readonly Role[]): Role {
  return {
    routes: {
      '/health': { GET: getHealth(context, roles) },
      '/health/live': { GET: () => json({ status: 'ok' }) },
      '/metrics': { GET: getMetrics(context) },
    },
    answers: publicAnswers,
    preflight: createPreflight({
      headers,
      methods: 'GET, HEAD, OPTIONS',
      allowHeaders: 'authorization',
    }),
    close() {},
  }
}

type MonitorContext = Pick<Context, 'metrics' | 'storage'> & {
  config: Pick<Context['config'], 'metricsToken'>
}

/**
 * `GET /health`: reports on the database and each role. If one of them is unavailable, the status is 503, but
 * routes that do not need it still work. Concurrent requests share one query, because anyone can send many of them.
 */
function getHealth({ storage }: MonitorContext, roles: readonly Role[]) {
  let answer: Promise<boolean> | undefined
  return async () => {
    answer ??= answersInTime(storage.ping()).finally(() => (answer = undefined))
    const isDatabaseUp = await answer
    const healths = roles.flatMap((role) => role.health?.() ?? [])
    const isUp = isDatabaseUp && healths.every((health) => health.isUp)
    const body = {
      status: isUp ? 'ok' : 'degraded',
      database: { engine: storage.engine, status: isDatabaseUp ? 'up' : 'down' },
      ...Object.assign({}, ...healths.map((health) => health.body)),
    }
    return json(body, isUp ? 200 : 503)
  }
}

async function answersInTime(ping: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), pingMs)
  })
  const answer = ping.then(
    () => true,
    () => false,
  )
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/**
 * `GET /metrics` in the Prometheus text format, for requests with the token. If no token is configured, only
 * programs on this machine can read the metrics, and not through a proxy. A page in a browser on this machine
 * cannot read them either, even with DNS rebinding.
 *
 * @see docs/threats.md#public-metrics
 */
function getMetrics({ config, metrics }: MonitorContext) {
  return async (c: HttpContext) => {
    const { metricsToken: token } = config
    if (token ? !isEqual(c.req.header('authorization') ?? '', `Bearer ${token}`) : !isLocal(c))
      return refuse(
        401,
        {
          field: 'authorization',
          description: token
            ? 'the metrics token is missing or wrong'
            : 'without a metrics token only this machine may read metrics',
        },
        { 'www-authenticate': 'Bearer' },
      )
    return new Response(await metrics.text(), {
      headers: { ...commonHeaders, 'content-type': metrics.registry.contentType },
    })
  }
}

/**
 * Whether a request comes directly from this machine, and its host is a name of this machine. Proxies are recognized by
 * their headers and, as nginx adds none by default, by HTTP/1.0 and connections for a single request.
 */
export function isLocal(c: HttpContext): boolean {
  const incoming = c.env?.incoming
  const remoteAddress = incoming?.socket.remoteAddress ?? ''
  return (
    incoming?.httpVersion !== '1.0' &&
    readHeader(c, 'connection')?.toLowerCase() !== 'close' &&
    /^(?:::ffff:)?127\.|^::1$/i.test(remoteAddress) &&
    !proxyHeaders.some((name) => readHeader(c, name) !== undefined) &&
    /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(readHeader(c, 'host') ?? '')
  )
}

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
