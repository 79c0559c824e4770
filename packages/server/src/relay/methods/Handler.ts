import type { RelayMethod, RelayReadParams, RelayResults } from '@gatefold/protocol/relay'
import type { Payer } from '../budgets/createStorageBudgets.ts'
import type { RelayContext } from '../RelayContext.ts'

/** One request with parsed params. */
export type Call<Method extends RelayMethod> = {
  params: RelayReadParams<Method>
  /** The client id of the caller. */
  clientId: string
  /** The caller as the payer for stored messages. */
  payer: Payer
  /** The `Host` header of the caller. */
  host: string | undefined
  /** Runs a job once the response is written. */
  afterAnswer(job: () => void): void
  /**
   * Runs a read with a large result, after the caller's earlier reads and once the caller has drained enough of its
   * responses. The read can wait for a further turn of the caller's address.
   *
   * @returns `undefined` if the response, or the memory budget of the caller's address, has no room for the result.
   */
  readInTurn<Page>(
    read: (nextTurn: () => Promise<void>) => Promise<Page>,
  ): Promise<Page | undefined>
}

/** Implements one method. Throws a `RelayError` to respond with an error. */
export type Handler<Method extends RelayMethod> = (
  relay: RelayContext,
  call: Call<Method>,
) => Promise<RelayResults[Method]>
