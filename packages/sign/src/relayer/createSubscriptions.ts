import { formatSubscription, Topic } from '@gatefold/protocol/relay'
import { limits } from '@gatefold/protocol'
import * as v from 'valibot'
import { hashMessage } from '../crypto/keys.ts'
import { RelayError } from '../errors.ts'
import type { KeyValueStore } from '../storage/KeyValueStore.ts'
import type { Clock } from '../SignClient.ts'
import { createCollection } from '../storage/createCollection.ts'
import { deadlineMs, type Requests } from './createRequests.ts'

/** The topics of a client: remembered over reloads, told to each new socket at once. */
export type Subscriptions = {
  has(topic: string): boolean
  topics(): readonly string[]
  /** Resolves once the relay knows. Remembered even if that takes too long. */
  add(topic: string): Promise<void>
  /** As `add`, but `tell` lets the relay know. */
  addWith<result>(topic: string, tell: () => Promise<result>): Promise<result>
  /** Forgets a topic. The relay is told when there is a socket. */
  remove(topic: string): Promise<void>
  /** A socket is open: tells it everything. */
  opened(): void
  down(): void
  rejectAll(error: RelayError): void
}

/** As official clients keep it. */
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
  /** What this socket was told, or is being told. */
  const told = new Set<string>()
  /** What it has confirmed. */
  const known = new Set<string>()
  /** What another request tells. */
  const byOthers = new Set<string>()
  const waiting = new Map<string, { resolve: () => void; reject: (error: RelayError) => void }[]>()
  let cancelRetry = () => {}
  let socket = 0

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
      .filter((topic) => !told.has(topic) && !byOthers.has(topic))
    for (let start = 0; start < topics.length; start += limits.relayBatchSize)
      void tell(topics.slice(start, start + limits.relayBatchSize))
  }

  async function tell(topics: readonly string[]) {
    const mine = socket
    for (const topic of topics) told.add(topic)
    const [topic] = topics
    try {
      if (topics.length === 1)
        await request('irn_subscribe', { bound: true, params: () => ({ topic }) })
      else await request('irn_batchSubscribe', { bound: true, params: () => ({ topics }) })
      for (const each of topics) {
        // One that was left meanwhile is not: the relay is told that after this.
        if (told.has(each)) known.add(each)
        settle(each)
      }
    } catch {
      // The next socket is told everything; this one is asked again in a while.
      if (mine !== socket) return
      for (const each of topics) told.delete(each)
      cancelRetry()
      cancelRetry = clock.later(sync, retryMs)
    }
  }

  const toId = async (topic: string) =>
    hashMessage(formatSubscription({ topic, clientId: await clientId() }))

  /** Holds once it resolves; `kept` does when it is stored, which telling the relay need not wait for. */
  async function remember(topic: string): Promise<{ kept: Promise<void> | undefined }> {
    if (stored.has(topic)) return { kept: undefined }
    const id = await toId(topic)
    return { kept: stored.set({ topic, id, relay: { protocol: 'irn' } }) }
  }

  return {
    has: (topic) => stored.has(topic),
    topics: () => stored.values().map(({ topic }) => topic),
    async add(topic) {
      // Waits before it is stored: a refusal that comes meanwhile must be heard.
      const confirmed = new Promise<void>((resolve, reject) => {
        const cancel = clock.later(
          () =>
            reject(new RelayError('The relay did not take the subscription within 60 seconds.')),
          deadlineMs,
        )
        const waiter = {
          resolve: () => (cancel(), resolve()),
          reject: (error: RelayError) => (cancel(), reject(error)),
        }
        waiting.set(topic, [...(waiting.get(topic) ?? []), waiter])
      })
      const stores = async () => {
        const { kept } = await remember(topic)
        if (known.has(topic)) settle(topic)
        else sync()
        await kept
      }
      await Promise.all([confirmed, stores()])
    },
    async addWith(topic, tellBy) {
      byOthers.add(topic)
      try {
        const { kept } = await remember(topic)
        const [result] = await Promise.all([tellBy(), kept])
        if (isOpen()) for (const set of [told, known]) set.add(topic)
        settle(topic)
        return result
      } finally {
        byOthers.delete(topic)
        sync()
      }
    },
    async remove(topic) {
      for (const set of [told, known]) set.delete(topic)
      settle(topic)
      await stored.delete(topic)
      if (!isOpen()) return
      const id = await toId(topic)
      if (stored.has(topic)) return
      // A relay that misses it pushes to the topic again, and is told then.
      request('irn_unsubscribe', { bound: true, params: () => ({ topic, id }) }).catch(() => {})
    },
    opened: sync,
    down() {
      socket += 1
      for (const set of [told, known]) set.clear()
      cancelRetry()
    },
    rejectAll(error) {
      cancelRetry()
      for (const topic of waiting.keys()) settle(topic, error)
    },
  }
}
