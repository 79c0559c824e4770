import type { Context } from '../context.ts'
import type { RelayDriver } from './drivers/RelayDriver.ts'
import type { Hub } from './hub/createHub.ts'
import type { RelayMetrics } from './metrics.ts'
import type { RateLimit } from './requests/createRateLimit.ts'

/** The services that the relay's sockets and methods use. */
export type RelayContext = {
  context: Context
  driver: RelayDriver
  hub: Hub
  metrics: RelayMetrics
  /** Of publishes, by client id. */
  rateLimit: RateLimit
  /** Topics whose subscriptions are being stored, by client id. */
  pendingSubscriptions: Map<string, Set<string>>
  /** The `did:key` of the relay. */
  relayId: string
}
