import { Counter, Gauge, type Registry } from 'prom-client'

export type HistoryMetrics = ReturnType<typeof createHistoryMetrics>

export function createHistoryMetrics(registry: Registry) {
  const shared = { labelNames: ['chain'] as const, registers: [registry] }
  return {
    calls: new Counter({
      ...shared,
      name: 'gatefold_history_calls_total',
      help: 'Calls to upstreams and to Blockscout for the history, by network.',
    }),
    failures: new Counter({
      ...shared,
      name: 'gatefold_history_failures_total',
      help: 'Failed attempts to read blocks or a page of the history, by network.',
    }),
    reorganizations: new Counter({
      ...shared,
      name: 'gatefold_history_reorganizations_total',
      help: 'Reorganizations that the indexer found, by network.',
    }),
    watched: new Gauge({
      ...shared,
      name: 'gatefold_history_watched',
      help: 'Addresses whose history this process indexes, by network.',
    }),
    block: new Gauge({
      ...shared,
      name: 'gatefold_history_block',
      help: 'The last block that this process has indexed, by network.',
    }),
    head: new Gauge({
      ...shared,
      name: 'gatefold_history_head',
      help: 'The latest block that the indexer has seen, by network.',
    }),
  }
}
