import type { RelayDriver } from './driver.ts'
import type { Hub } from './createHub.ts'
import type { RelayMetrics } from './metrics.ts'
import type { RelayMethod, RelayReadParams, RelayResults } from '@gatefold/protocol/relay'
import type { Pacer } from './createPacer.ts'
import type { Context } from '../context.ts'

/** What the methods of the relay work with. */
export type RelayParts = {
  context: Context
  driver: RelayDriver
  hub: Hub
  metrics: RelayMetrics
  /** Publishes by client id. */
  pacer: Pacer
  /** Topics whose subscriptions are being stored, by client id. */
  subscribing: Map<string, Set<string>>
  /** The relay's own `did:key`. */
  relayId: string
}

/** One request, its params read. */
export type Call<Method extends RelayMethod> = {
  params: RelayReadParams<Method>
  /** Of the caller. */
  clientId: string
  /** The `Host` header the caller came with. */
  host: string | undefined
  /** Has a job done once the answer is on its way. */
  afterAnswer(job: () => void): void
  /**
   * Reads what may be far larger than what asked for it: one after the other, as fast as the caller takes
   * the answers. @returns `undefined` when the answer has no room for more.
   */
  readInTurn<Page>(read: () => Promise<Page>): Promise<Page | undefined>
}

export type Handler<Method extends RelayMethod> = (
  relay: RelayParts,
  call: Call<Method>,
) => Promise<RelayResults[Method]>
