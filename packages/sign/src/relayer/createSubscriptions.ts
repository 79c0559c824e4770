import { formatSubscription, Topic } from '@gatefold/protocol/relay'
import { limits } from '@gatefold/protocol'
import * as v from 'valibot'
import { hashMessage } from '../crypto/keys.ts'
import { RelayError } from '../errors.ts'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import type { Clock } from '../SignClient.ts'
import { createCollection } from '../storage/createCollection.ts'
import { deadlineMs, type Requests } from './createRequests.ts'

/** A client's topics. They are persisted, and subscribed to on every new socket. */
export type Subscriptions = {
  has(topic: string): boolean
  topics(): readonly string[]
  /**
   * Resolves once the relay has confirmed the subscription. The topic is persisted even if the confirmation times out.
   */
  add(topic: string): Promise<void>
  /** Like `add`, but the relay subscribes the client when it handles `request`. */
  addWith<result>(topic: string, request: () => Promise<result>): Promise<result>
  /** Removes a topic, and unsubscribes from it if a socket is open. */
  remove(topic: string): Promise<void>
  /** Subscribes to all topics on a new socket. */
  onOpen(): void
  onClose(): void
  rejectAll(error: RelayError): void
}

/** A subscription in the shape that official clients store. */
const Stored = v.object({
  topic: Topic,
  id: v.optional(v.unknown()),
  relay: v.optional(v.unknown()),
})
const retryMs = 5_000

export async function createSubscriptions(options: {
  store: KeyValueStore
  key: string
  clock: Clock
  request: Requests['request']
  isOpen: () => boolean
  clientId: () => Promise<string>
  onDamaged?: ((key: string) => void) | undefined
}): Promise<Subscriptions> {
  const { clock, request, isOpen, clientId } = options
  const stored = await createCollection({
    ...options,
    schema: Stored,
    idOf: (subscription) => subscription.topic,
  })
  /** Topics requested on this socket. */
  const requested = new Set<string>()
  /** Topics confirmed on this socket. */
  const confirmed = new Set<string>()
  /** Topics of pending `addWith` calls. `sync` skips them, because their request subscribes to them. */
  const external = new Set<string>()
  const waiting = new Map<string, { resolve: () => void; reject: (error: RelayError) => void }[]>()
  let cancelRetry = () => {}
  /** Number of sockets that have closed; identifies the current socket. */
  let closedSockets = 0

  function settle(topic: string, error?: RelayError) {
    const waiters = waiting.get(topic) ?? []
    waiting.delete(topic)
    for (const { resolve, reject } of waiters)
      if (error) reject(error)
      else resolve()
  }

  function sync() {
    if (!isOpen()) return
    const topics = stored
      .values()
      .map(({ topic }) => topic)
      .filter((topic) => !requested.has(topic) && !external.has(topic))
    for (let start = 0; start < topics.length; start += limits.relayBatchSize)
      void subscribe(topics.slice(start, start + limits.relayBatchSize))
  }

  async function subscribe(topics: readonly string[]) {
    const closedBefore = closedSockets
    for (const topic of topics) requested.add(topic)
    const [topic] = topics
    try {
      if (topics.length === 1)
        await request('irn_subscribe', { perSocket: true, params: () => ({ topic }) })
      else await request('irn_batchSubscribe', { perSocket: true, params: () => ({ topics }) })
      for (const each of topics) {
        // The topic may have been removed in the meantime, which sends an unsubscribe after this request.
        if (requested.has(each)) confirmed.add(each)
        settle(each)
      }
    } catch {
      // Retries if this socket is still open. Otherwise, the next socket
      // subscribes to all topics.
      if (closedBefore !== closedSockets) return
      for (const each of topics) requested.delete(each)
      cancelRetry()
      cancelRetry = clock.later(sync, retryMs)
    }
  }

  const toId = async (topic: string) =>
    hashMessage(formatSubscription({ topic, clientId: await clientId() }))

  /** Adds a topic. `saved` resolves once it is stored; the relay request does not wait for that. */
  async function store(topic: string): Promise<{ saved: Promise<void> | undefined }> {
    if (stored.has(topic)) return { saved: undefined }
    const id = await toId(topic)
    return { saved: stored.set({ topic, id, relay: { protocol: 'irn' } }) }
  }

  return {
    has: (topic) => stored.has(topic),
    topics: () => stored.values().map(({ topic }) => topic),
    async add(topic) {
      // Registered before the topic is stored, so that a refusal in the meantime rejects the waiter.
      const confirmation = new Promise<void>((resolve, reject) => {
        const cancel = clock.later(
          () =>
            reject(new RelayError('The relay did not confirm the subscription within 60 seconds.')),
          deadlineMs,
        )
        const waiter = {
          resolve: () => (cancel(), resolve()),
          reject: (error: RelayError) => (cancel(), reject(error)),
        }
        waiting.set(topic, [...(waiting.get(topic) ?? []), waiter])
      })
      const storeAndSync = async () => {
        const { saved } = await store(topic)
        if (confirmed.has(topic)) settle(topic)
        else sync()
        await saved
      }
      await Promise.all([confirmation, storeAndSync()])
    },
    async addWith(topic, send) {
      external.add(topic)
      try {
        const { saved } = await store(topic)
        const [result] = await Promise.all([send(), saved])
        if (isOpen()) for (const set of [requested, confirmed]) set.add(topic)
        settle(topic)
        return result
      } finally {
        external.delete(topic)
        sync()
      }
    },
    async remove(topic) {
      for (const set of [requested, confirmed]) set.delete(topic)
      settle(topic)
      await stored.delete(topic)
      if (!isOpen()) return
      const id = await toId(topic)
      if (stored.has(topic)) return
      // If this unsubscribe fails, the next push to the topic triggers another one.
      request('irn_unsubscribe', { perSocket: true, params: () => ({ topic, id }) }).catch(() => {})
    },
    onOpen: sync,
    onClose() {
      closedSockets += 1
      for (const set of [requested, confirmed]) set.clear()
      cancelRetry()
    },
    rejectAll(error) {
      cancelRetry()
      for (const topic of waiting.keys()) settle(topic, error)
    },
  }
}
