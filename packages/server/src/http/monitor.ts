import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import type { HttpContext } from './access.ts'
import { publicAnswers } from './answers.ts'
import { createPreflight } from './cors.ts'
import type { Role } from './Role.ts'

/** How long `GET /health` waits for the database. */
const pingMs = 2_000

const { headers, json, refuse } = publicAnswers

export const monitorPaths = ['/health', '/health/live', '/metrics'] as const

/** Health and metrics for operators. Runs in every process, whatever its roles. */
export function createMonitor(context: MonitorContext, roles: readonly Role[]): Role {
  const [health, live, metrics] = monitorPaths
  return {
    routes: {
      [health]: { GET: getHealth(context, roles) },
      [live]: { GET: () => json({ status: 'ok' }) },
      [metrics]: { GET: getMetrics(context) },
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

export type MonitorContext = Pick<Context, 'metrics' | 'storage'> & {
  config: Pick<Context['config'], 'metricsToken'>
}

/**
 * `GET /health`: the database and each role; 503 with the same body when one of them is down. Routes that
 * do not depend on it still answer.
 */
function getHealth({ storage }: MonitorContext, roles: readonly Role[]) {
  return async () => {
    const isDatabaseUp = await answersInTime(storage.ping())
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

/** `GET /metrics` in the Prometheus text format. */
function getMetrics({ config, metrics }: MonitorContext) {
  return async (c: HttpContext) => {
    if (
      config.metricsToken &&
      !isEqual(c.req.header('authorization') ?? '', `Bearer ${config.metricsToken}`)
    )
      return refuse(
        401,
        { field: 'authorization', description: 'the metrics token is missing or wrong' },
        { 'www-authenticate': 'Bearer' },
      )
    return new Response(await metrics.registry.metrics(), {
      headers: { ...headers, 'content-type': metrics.registry.contentType },
    })
  }
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
