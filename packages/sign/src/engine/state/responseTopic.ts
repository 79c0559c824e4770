import type { StoredRecord } from './schemas.ts'

/**
 * The topic of a request's response: the request's topic, except for `wc_sessionAuthenticate`.
 *
 * @see docs/contracts/relay.md#client-methods
 */
export function responseTopic({ topic, responseTopic = topic }: StoredRecord): string {
  return responseTopic
}
