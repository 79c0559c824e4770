import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import type { GatewayRequest } from './access.ts'
import { everyAnswer, json, refuse } from './answer.ts'

/** How another role of this process fares: whether all is well, and what to say. */
export type PartHealth = { isUp: boolean; body: Record<string, unknown> }

/** The database is asked for no longer than this. */
const pingMs = 2_000

/**
 * `GET /health`: whether everything this server needs is there. 503 with the same body when the
 * database is not; what can be answered from memory is answered all the same.
 */
export function getHealth(context: Context, parts: readonly { health?: () => PartHealth }[]) {
  const { storage, chains } = context
  return async () => {
    const isDatabaseUp = await answersInTime(storage.ping())
    const healths = parts.flatMap((part) => part.health?.() ?? [])
    const isUp = isDatabaseUp && healths.every((part) => part.isUp)
    const rpc = Object.fromEntries([...chains].map(([id, chain]) => [id, chain.status()]))
    const body = {
      status: isUp ? 'ok' : 'degraded',
      database: { engine: storage.engine, status: isDatabaseUp ? 'up' : 'down' },
      rpc,
      ...Object.assign({}, ...healths.map((part) => part.body)),
    }
    return json(body, isUp ? 200 : 503)
  }
}

/** `GET /health/live`: whether the process answers at all; for what restarts it. */
export function getLiveness() {
  return () => json({ status: 'ok' })
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
export function getMetrics({ config, metrics }: Context) {
  return async (c: GatewayRequest) => {
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
      headers: { ...everyAnswer, 'content-type': metrics.registry.contentType },
    })
  }
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
