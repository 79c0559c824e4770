import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

let processMetrics: Registry | undefined

/**
 * Metrics of the process, such as its memory and garbage collections. One registry for all servers of the process,
 * because prom-client never removes its observers, which would keep a stopped server in memory.
 */
function ensureProcessMetrics(): Registry {
  if (!processMetrics) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics })
  }
  return processMetrics
}

/** Metrics of the HTTP server. Each server has one registry, to which the roles add their metrics. */
export function createMetrics() {
  const registry = new Registry()
  const ofProcess = ensureProcessMetrics()
  const requests = new Counter({
    name: 'gatefold_http_requests_total',
    help: 'HTTP responses by route and status.',
    labelNames: ['route', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'gatefold_http_request_seconds',
    help: 'Seconds to an HTTP response, by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 9],
    registers: [registry],
  })
  const limited = new Counter({
    name: 'gatefold_rate_limited_total',
    help: 'Requests refused with 429, by bucket.',
    labelNames: ['bucket'],
    registers: [registry],
  })
  // Cached, because a lookup by labels on every request would cost several times more.
  const children = new Map<string, { answered(took: number): void }>()
  return {
    registry,
    limited,
    /** The metrics of the server and of the process, in the Prometheus text format. */
    text: () => Registry.merge([ofProcess, registry]).metrics(),
    /** Counts a response; `took` is in seconds. */
    answered(route: string, status: number, took: number) {
      const key = `${route} ${status}`
      let child = children.get(key)
      if (!child) {
        const counter = requests.labels(route, String(status))
        const histogram = seconds.labels(route)
        child = {
          answered(duration) {
            counter.inc()
            histogram.observe(duration)
          },
        }
        children.set(key, child)
      }
      child.answered(took)
    },
  }
}
