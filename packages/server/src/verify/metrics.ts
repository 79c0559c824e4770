import { Counter, type Registry } from 'prom-client'

export type VerifyMetrics = ReturnType<typeof createVerifyMetrics>

/** The verify service's metrics. */
export function createVerifyMetrics(registry: Registry) {
  const registers = [registry]
  return {
    attested: new Counter({
      name: 'gatefold_verify_attestations_total',
      help: 'Attestations by outcome: verified, unverified, scam.',
      labelNames: ['outcome'],
      registers,
    }),
    lookedUp: new Counter({
      name: 'gatefold_verify_lookups_total',
      help: 'Lookups by older wallets, by outcome: found, missing.',
      labelNames: ['outcome'],
      registers,
    }),
  }
}
