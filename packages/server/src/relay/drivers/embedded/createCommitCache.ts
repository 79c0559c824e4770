import { LRUCache } from 'lru-cache'
import type { FoundMessage, NewRelayMessage } from '../../../storage/relay.ts'

/** What a topic holds at most. */
export type Weight = { messages: number; bytes: number }

export type CommitCache = ReturnType<typeof createCommitCache>

const maxMessages = 20_000
const maxTopics = 20_000

/**
 * What the one process that writes to a database knows without asking it. It may have forgotten, but is
 * never wrong: whatever is committed must be told here, and all of it forgotten when a commit failed.
 *
 * @param options.knownMs - every row is kept at least this long after it was published.
 */
export function createCommitCache({ knownMs }: { knownMs: number }) {
  /** By `seq`. */
  const messages = new LRUCache<number, FoundMessage & { publishedAt: number }>({
    max: maxMessages,
  })
  const subscribers = new LRUCache<string, readonly string[]>({ max: maxTopics })
  const weights = new LRUCache<string, Weight>({ max: maxTopics })

  return {
    /** A message that is there. */
    message(seq: number, now: number): FoundMessage | undefined {
      const found = messages.get(seq)
      return found && now < found.publishedAt + knownMs ? found : undefined
    },

    /** A message has been stored. */
    stored({ topic, id, seq, publisher, tag, published_at: publishedAt, bytes }: NewRelayMessage) {
      messages.set(seq, { topic, id, seq, publisher, tag, publishedAt })
      const weight = weights.get(topic)
      if (!weight) return
      weight.messages += 1
      weight.bytes += bytes
    },

    /** Subscribers of topics: both of them, or none where there are more. */
    subscribers,

    /** What waits on topics at most: what has gone since it was counted is in it. */
    weights,

    /** Texts of statements. */
    statements: new Map<number, string>(),

    clear() {
      for (const cache of [messages, subscribers, weights]) cache.clear()
    },
  }
}
