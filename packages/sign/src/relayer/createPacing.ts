import { limits } from '@gatefold/protocol'
import type { Clock } from '../SignClient.ts'

/** Number of messages on a topic that are handled without delay. */
const messageBurst = 20
/** Number of messages on a topic that are handled per second while more are waiting. */
const messageRate = 3
/** A message that is longer counts as several messages. */
const charactersPerMessage = 8_192

type Message = { message: string }

type Bucket<item> = {
  /** Messages that can be handled now. Negative after a large message. */
  tokens: number
  /** Pending responses to this client's requests, which use no tokens. */
  expected: number
  refilledAt: number
  waiting: Map<string, item>
  characters: number
  cancel: () => void
}

/**
 * Limits the rate at which a topic's messages are handled, so that a flood from the peer does not slow down the
 * page. Further messages wait in memory. They are not acknowledged, so the relay keeps and redelivers them.
 *
 * @param options.handle - called with each topic's messages in order
 * @see docs/threats.md#hostile-peer
 */
export function createPacing<item extends Message>(options: {
  clock: Clock
  handle: (item: item) => void
}) {
  const { clock, handle } = options
  const buckets = new Map<string, Bucket<item>>()

  function bucketOf(topic: string) {
    const now = clock.now()
    const bucket = buckets.get(topic) ?? {
      tokens: messageBurst,
      expected: 0,
      refilledAt: now,
      waiting: new Map(),
      characters: 0,
      cancel: () => {},
    }
    const added = (Math.max(0, now - bucket.refilledAt) / 1_000) * messageRate
    bucket.refilledAt = now
    bucket.tokens = Math.max(bucket.tokens, Math.min(messageBurst, bucket.tokens + added))
    buckets.set(topic, bucket)
    return bucket
  }

  const isOpen = ({ tokens, expected }: Bucket<item>) => tokens >= 1 || expected > 0

  function take(bucket: Bucket<item>, item: item) {
    if (bucket.expected > 0) bucket.expected -= 1
    else bucket.tokens -= Math.ceil(item.message.length / charactersPerMessage)
    handle(item)
  }

  function handleWaiting(topic: string) {
    const bucket = bucketOf(topic)
    bucket.cancel()
    for (const [text, item] of bucket.waiting) {
      if (!isOpen(bucket)) break
      bucket.waiting.delete(text)
      bucket.characters -= text.length
      take(bucket, item)
    }
    if (bucket.waiting.size > 0)
      bucket.cancel = clock.later(
        () => handleWaiting(topic),
        Math.ceil(((1 - bucket.tokens) / messageRate) * 1_000),
      )
  }

  return {
    /**
     * Handles a message now or later, or drops it if too many messages on its topic are waiting.
     *
     * @param topic - the topic whose limits apply.
     */
    add(item: item, topic: string) {
      const { message } = item
      const bucket = bucketOf(topic)
      const { waiting } = bucket
      if (waiting.size === 0 && isOpen(bucket)) return take(bucket, item)
      if (!waiting.has(message)) {
        const characters = bucket.characters + message.length
        if (waiting.size >= limits.relayTopicMessages || characters > limits.relayTopicBytes) return
        bucket.characters = characters
      }
      // A redelivered message has a new id, with which it must be acknowledged.
      waiting.set(message, item)
      if (waiting.size === 1) handleWaiting(topic)
    },
    /** Handles one more message, of any size, without delay: the response to a request that is being sent. */
    expect(topic: string) {
      bucketOf(topic).expected += 1
    },
    clear(topic: string) {
      buckets.get(topic)?.cancel()
      buckets.delete(topic)
    },
    close() {
      for (const topic of buckets.keys()) this.clear(topic)
    },
  }
}
