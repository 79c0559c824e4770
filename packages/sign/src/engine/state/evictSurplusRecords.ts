import { unique } from '../../namespaces.ts'
import type { Context } from '../Context.ts'
import { recordLimit } from './remove.ts'
import type { StoredRecord } from './schemas.ts'

/**
 * Evicts the surplus records of a topic, in batches: the peers of other topics cannot cause it. Without a topic, evicts
 * those of all topics, and all records of topics without a key, whose messages cannot be decrypted.
 */
export async function evictSurplusRecords(
  { stores, keys }: Context,
  topic?: string,
): Promise<void> {
  const done = stores.records.values().filter(isDone)
  const topics = topic ? [topic] : unique(done.map((record) => record.topic))
  const old = topics.flatMap((each) => {
    const ofTopic = done.filter((record) => record.topic === each)
    if (topic && ofTopic.length <= 2 * recordLimit) return []
    return keys.has(each) ? listSurplus(ofTopic) : ofTopic
  })
  await stores.records.delete(...old.map(({ id }) => id))
}

function listSurplus(ofTopic: readonly StoredRecord[]) {
  return [true, false].flatMap((isSent) =>
    ofTopic
      .filter(({ sent }) => sent === isSent)
      .toSorted((a, b) => b.id - a.id)
      .slice(recordLimit),
  )
}

/** Received, or sent and answered. Records of pending requests are kept. */
function isDone({ sent, response }: StoredRecord) {
  return !sent || response !== undefined
}
