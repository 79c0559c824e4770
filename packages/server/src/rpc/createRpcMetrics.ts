import { Counter, type Registry } from 'prom-client'

export type RpcMetrics = ReturnType<typeof createRpcMetrics>

export function createRpcMetrics(registry: Registry) {
  return {
    upstream: new Counter({
      name: 'gatefold_rpc_upstream_total',
      help: 'Requests to JSON-RPC upstreams by chain, host and outcome.',
      labelNames: ['chain', 'host', 'outcome'],
      registers: [registry],
    }),
  }
}
