import type { StoredRecord } from './schemas.ts'

/** Where a request is answered: authenticate on a topic of its own. @see contract of the relay, 4 */
export function responseTopic({ topic, responseTopic = topic }: StoredRecord): string {
  return responseTopic
}
