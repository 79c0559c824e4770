import { hashKey } from '../crypto/keys.ts'
import type { StoredRecord } from './schemas.ts'

/** Where a request is answered: authenticate on a topic of its own. @see contract of the relay, 4 */
export function answerTopic({ topic, request }: StoredRecord): string {
  if (request.method !== 'wc_sessionAuthenticate') return topic
  const { requester } = request.params as { requester: { publicKey: string } }
  return hashKey(requester.publicKey)
}
