import { limits } from '@gatefold/protocol'
import * as v from 'valibot'
import { LoadError } from '../errors.ts'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import type { RelayMessage } from './Relayer.ts'
import { createDocument } from '../storage/createDocument.ts'

/** Messages from the relay on their way to the listener: kept until handled, in order, each once. */
export type Inbox = {
  /** Resolves once the message is stored and may be acknowledged. It may have come before. */
  take(message: RelayMessage): Promise<void>
  /** What was not handled when the last page went comes first. */
  listen(listener: (message: RelayMessage) => Promise<void>): void
  /** Nothing of this topic is of interest any more. */
  forget(topic: string): Promise<void>
  /** Stops handing out; what is stored stays for the next start. */
  close(): void
}

/** Unhandled ones, and what was handled by topic: the mark of each text. */
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

/** What an official client had acknowledged and not handled: by topic, then by a hash of the text. */
const Left = v.record(v.string(), v.record(v.string(), v.string()))

/** @param options.officialKey - where an official client keeps what it has not handled */
export async function createInbox(options: {
  store: KeyValueStore
  key: string
  officialKey: string
  onDamaged?: ((key: string) => void) | undefined
}): Promise<Inbox> {
  const [document, left] = await Promise.all([
    createDocument<v.InferOutput<typeof Stored>>({
      ...options,
      schema: Stored,
      empty: { waiting: [], handled: {} },
    }),
    createDocument<v.InferOutput<typeof Left>>({
      ...options,
      key: options.officialKey,
      schema: Left,
      empty: {},
    }),
  ])
  let listener: ((message: RelayMessage) => Promise<void>) | undefined
  /** The end of each topic's queue. */
  const queues = new Map<string, Promise<void>>()
  let closed = false

  function hand(message: RelayMessage) {
    const { topic } = message
    const before = queues.get(topic) ?? Promise.resolve()
    const done = before.then(async () => {
      if (closed || !isWaiting(message)) return
      if ((await handle(message)) && !closed) await finish(message)
    })
    queues.set(topic, done)
    void done.then(() => queues.get(topic) === done && queues.delete(topic))
  }

  /** @returns false when it is to be given again at the next start. */
  async function handle(message: RelayMessage) {
    try {
      await listener?.(message)
      return true
    } catch (error) {
      // The listener tells its other failures; what it cannot handle would fail at each start.
      return !(error instanceof LoadError)
    }
  }

  function isWaiting({ topic, message }: RelayMessage) {
    return document.get().waiting.some((each) => each.topic === topic && each.message === message)
  }

  function finish({ topic, message }: RelayMessage) {
    const { waiting, handled } = document.get()
    const marks = [...(handled[topic] ?? []), tagOf(message)].slice(-limits.relayTopicMessages)
    return document.set({
      waiting: waiting.filter((each) => each.topic !== topic || each.message !== message),
      handled: isWaiting({ topic, message, publishedAt: 0 })
        ? { ...handled, [topic]: marks }
        : handled,
    })
  }

  // What an official client left comes before all else.
  const before = Object.entries(left.get()).flatMap(([topic, messages]) =>
    Object.values(messages).map((message) => ({ topic, message, publishedAt: 0 })),
  )
  if (before.length > 0) {
    const { waiting, handled } = document.get()
    await document.set({ waiting: [...before.filter((it) => !isWaiting(it)), ...waiting], handled })
    await left.set({})
  }

  return {
    async take(message) {
      const { waiting, handled } = document.get()
      const isNew = !isWaiting(message) && !handled[message.topic]?.includes(tagOf(message.message))
      if (!isNew) return document.stored()
      const stored = document.set({ handled, waiting: [...waiting, message] })
      // Handling need not wait for the disk, as acknowledging must: what comes again is known by its id.
      if (listener) hand(message)
      await stored
    },
    listen(heard) {
      listener = heard
      for (const message of document.get().waiting) hand(message)
    },
    async forget(topic) {
      const { waiting, handled } = document.get()
      if (!handled[topic] && !waiting.some((each) => each.topic === topic)) return
      const { [topic]: _forgotten, ...others } = handled
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

/**
 * The end of a text: there stands the tag that seals it, 16 bytes in base64. Two texts with one tag can
 * be made by whoever has the key alone, and then the second is lost.
 */
function tagOf(message: string) {
  return message.slice(-24)
}
