import { limits } from '@gatefold/protocol'
import { fromBase64, toBase64 } from '@gatefold/protocol/relay'
import * as v from 'valibot'
import { LoadError } from '../errors.ts'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import type { RelayMessage } from './Relayer.ts'
import { createDocument } from '../storage/createDocument.ts'

/** Stores messages from the relay until they are handled: each once, and in order within its topic. */
export type Inbox = {
  /**
   * Adds a message, unless it is a duplicate. Resolves once it is stored and can be acknowledged.
   *
   * @returns false if too many messages of its topic wait: the relay keeps the message and repeats it
   */
  add(message: RelayMessage): Promise<boolean>
  /** Sets the listener and delivers stored messages to it first. */
  listen(listener: (message: RelayMessage) => Promise<void>): void
  /** Deletes the messages of a topic. */
  clear(topic: string): Promise<void>
  /** Stops delivery. Stored messages are delivered at the next start. */
  close(): void
}

/** Unhandled messages, and by topic the tags of handled messages. */
const Stored = v.object({
  waiting: v.array(
    v.object({
      topic: v.string(),
      message: v.string(),
      publishedAt: v.number(),
      attestation: v.optional(v.string()),
    }),
  ),
  handled: v.record(v.string(), v.array(v.string())),
})

/** Messages that an official client acknowledged but did not handle, by topic and then by hash. */
const Official = v.record(v.string(), v.record(v.string(), v.string()))

/** @param options.officialKey - storage key of an official client's unhandled messages */
export async function createInbox(options: {
  store: KeyValueStore
  key: string
  officialKey: string
  onDamaged?: ((key: string) => void) | undefined
}): Promise<Inbox> {
  const [document, official] = await Promise.all([
    createDocument<v.InferOutput<typeof Stored>>({
      ...options,
      schema: Stored,
      empty: { waiting: [], handled: {} },
    }),
    createDocument<v.InferOutput<typeof Official>>({
      ...options,
      key: options.officialKey,
      schema: Official,
      empty: {},
    }),
  ])
  let listener: ((message: RelayMessage) => Promise<void>) | undefined
  /** By topic, a promise that resolves when its last message is handled. */
  const queues = new Map<string, Promise<void>>()
  let closed = false

  function deliver(message: RelayMessage) {
    const { topic } = message
    const previous = queues.get(topic) ?? Promise.resolve()
    const done = previous.then(async () => {
      if (closed || !isWaiting(message)) return
      if ((await handle(message)) && !closed) await finish(message)
    })
    queues.set(topic, done)
    void done.then(() => queues.get(topic) === done && queues.delete(topic))
  }

  /** @returns false if the message must be delivered again at the next start */
  async function handle(message: RelayMessage) {
    try {
      await listener?.(message)
      return true
    } catch (error) {
      // A chunk may load at the next start. Any other error would recur, so the message counts as handled.
      return !(error instanceof LoadError)
    }
  }

  function isWaiting({ topic, message }: RelayMessage) {
    return document.get().waiting.some((each) => each.topic === topic && each.message === message)
  }

  /**
   * Whether another message would exceed the limits for a topic's waiting messages, which are the same as on the relay.
   */
  function isFull({ topic, message }: RelayMessage) {
    const waiting = document.get().waiting.filter((each) => each.topic === topic)
    const size = waiting.reduce((sum, each) => sum + each.message.length, message.length)
    return waiting.length >= limits.relayTopicMessages || size > limits.relayTopicBytes
  }

  function finish({ topic, message }: RelayMessage) {
    const { waiting, handled } = document.get()
    const tags = [...(handled[topic] ?? []), tagOf(message)].slice(-limits.relayTopicMessages)
    return document.set({
      waiting: waiting.filter((each) => each.topic !== topic || each.message !== message),
      handled: isWaiting({ topic, message, publishedAt: 0 })
        ? { ...handled, [topic]: tags }
        : handled,
    })
  }

  // An official client's messages are older, so they come first.
  const imported = Object.entries(official.get()).flatMap(([topic, messages]) =>
    Object.values(messages).map((message) => ({ topic, message, publishedAt: 0 })),
  )
  if (imported.length > 0) {
    const { waiting, handled } = document.get()
    const added = imported.filter((message) => !isWaiting(message))
    await document.set({ waiting: [...added, ...waiting], handled })
    await official.set({})
  }

  return {
    async add(received) {
      const message = { ...received, message: toCanonical(received.message) }
      const { waiting, handled } = document.get()
      const isNew = !isWaiting(message) && !handled[message.topic]?.includes(tagOf(message.message))
      if (!isNew) {
        await document.stored()
        return true
      }
      if (isFull(message)) return false
      const stored = document.set({ handled, waiting: [...waiting, message] })
      // Delivered before it is stored. After a crash the relay may push it again; its JSON-RPC id then reveals the
      // duplicate.
      if (listener) deliver(message)
      await stored
      return true
    },
    listen(added) {
      listener = added
      for (const message of document.get().waiting) deliver(message)
    },
    async clear(topic) {
      const { waiting, handled } = document.get()
      if (!handled[topic] && !waiting.some((each) => each.topic === topic)) return
      const { [topic]: _removed, ...others } = handled
      await document.set({
        waiting: waiting.filter((each) => each.topic !== topic),
        handled: others,
      })
    },
    close() {
      closed = true
    },
  }
}

/** Base64 without padding, with spaces or with other unused bits encodes the same bytes, so it is a duplicate. */
function toCanonical(message: string) {
  try {
    return toBase64(fromBase64(message))
  } catch {
    // Not base64: the message cannot be decrypted.
    return message
  }
}

/**
 * The last characters of a message, which contain its Poly1305 tag (16 bytes in base64). Only an owner of the
 * key can create two messages with the same tag; the second one is ignored.
 */
function tagOf(message: string) {
  return message.slice(-24)
}
