import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { Slots } from '../http/createSlots.ts'
import type { AddressLimits } from './budgets/createAddressLimits.ts'
import type { StorageBudgets } from './budgets/createStorageBudgets.ts'
import type { RelayDriver } from './drivers/RelayDriver.ts'
import type { Hub } from './hub/createHub.ts'
import type { RelayMetrics } from './metrics.ts'
import type { RateLimit } from './requests/createRateLimit.ts'
import type { RequestCost } from './requests/costOf.ts'

/** The server's services that the relay uses. */
export type ServerContext = Pick<
  Context,
  | 'limits'
  | 'log'
  | 'memory'
  | 'metrics'
  | 'now'
  | 'projects'
  | 'redis'
  | 'relayTiming'
  | 'sharedAccounts'
  | 'storage'
  | 'turns'
> & {
  config: Pick<
    Config,
    | 'relayAddressHourlyMib'
    | 'relayAddressMib'
    | 'relayAddressSockets'
    | 'relayCapacityMib'
    | 'relayDeliveryDelayMs'
    | 'relayHourlyMib'
    | 'relayUrls'
    | 'trustedProxies'
  >
}

/** A client's requests to subscribe that are being handled. */
export type PendingSubscriptions = {
  calls: number
  /** New topics that are being stored. */
  topics: Set<string>
  /** The client's subscriptions before these requests, if it is not connected. */
  stored?: Promise<ReadonlySet<string>>
}

/** The services that the relay's sockets and methods use. */
export type RelayContext = {
  context: ServerContext
  driver: RelayDriver
  hub: Hub
  metrics: RelayMetrics
  addressLimits: AddressLimits
  storageBudgets: StorageBudgets
  /** The rate limits of each client id, by kind of request. */
  rateLimits: Record<RequestCost['kind'], RateLimit>
  /** Requests to subscribe that are being handled, by client id. */
  pendingSubscriptions: Map<string, PendingSubscriptions>
  /** Limits the concurrent writes of watches by address. */
  watchSlots: Slots
  /** The relay's `did:key`. */
  relayId: string
}
