import { LRUCache } from 'lru-cache'
import type { FoundMessage, NewRelayMessage } from '../../../storage/relay.ts'

/** Upper bounds of the messages and bytes waiting on a topic. */
export type Weight = { messages: number; bytes: number }

export type CommitCache = ReturnType<typeof createCommitCache>

const maxMessages = 20_000
const maxTopics = 20_000

/**
 * Caches rows for the only process that writes to a database, so that commits need fewer queries.
 * Every commit updates the cache, and a failed commit clears it. Entries may be evicted.
 *
 * @param options.knownMs - minimum time for which a row exists after its message was published, in ms.
 */
export function createCommitCache({ knownMs }: { knownMs: number }) {
  /** By `seq`. */
  const messages = new LRUCache<number, FoundMessage & { publishedAt: number }>({
    max: maxMessages,
  })
  const subscribers = new LRUCache<string, readonly string[]>({ max: maxTopics })
  const weights = new LRUCache<string, Weight>({ max: maxTopics })

  return {
    /** Finds a message whose body is stored, as long as its row is certain to exist. */
    message(seq: number, now: number): FoundMessage | undefined {
      const found = messages.get(seq)
      return found && now < found.publishedAt + knownMs ? found : undefined
    },

    /** Adds a stored message. */
    stored(row: NewRelayMessage) {
      const { topic, id, seq, publisher, tag, charge, published_at: publishedAt, bytes } = row
      messages.set(seq, { topic, id, seq, publisher, tag, charge, isWaiting: true, publishedAt })
      const weight = weights.get(topic)
      if (!weight) return
      weight.messages += 1
      weight.bytes += bytes
    },

    /** Removes a message whose body was deleted. */
    dropped: (seq: number) => messages.delete(seq),

    /** Subscribers of each topic that has one or two subscribers; an empty list for any other topic. */
    subscribers,

    /** Weights by topic. They are upper bounds, because deletions since the count are not subtracted. */
    weights,

    /** SQL of insert statements, by number of rows. */
    statements: new Map<number, string>(),

    clear() {
      for (const cache of [messages, subscribers, weights]) cache.clear()
    },
  }
}
