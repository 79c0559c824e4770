import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { createRedisClient, type RedisClient } from './createNode.ts'
import { slotOf } from './slotOf.ts'

export type ChannelEvents = {
  onMessage: (channel: string, payload: Buffer) => void
  /** Called when the subscriptions are in effect again, after messages may have been missed. */
  onGap: () => void
}

/** Subscriptions to the sharded channels of one server. */
export type Listener = {
  add(channel: string): void
  remove(channel: string): void
  /** Resolves once earlier changes are in effect or have failed; immediately while disconnected. */
  settle(): Promise<unknown>
  /** Resolves once the listener has connected for the first time. */
  ready: Promise<void>
  close(): void
}

const firstPauseMs = 50
const longestPauseMs = 1_000

/**
 * Subscribes to sharded channels of one server. After a disconnect, opens a new connection, subscribes to
 * every channel and calls `onGap`. The Redis client could also resubscribe, but it leaves out channels whose
 * slot has moved.
 *
 * @param options.onDown - called when the connection fails or ends, when the slot of a channel has moved, and when a
 * subscribe or unsubscribe fails.
 */
export function createListener(
  options: ChannelEvents & { url: string; onDown: () => void },
): Listener {
  const { url, onMessage, onGap, onDown } = options
  /** Wanted channels, and channels that were added or removed since the last synchronization. */
  const wanted = new Set<string>()
  const changed = new Set<string>()
  const closing = new AbortController()
  const { promise: ready, resolve: setReady } = Promise.withResolvers<void>()
  let connection: { client: RedisClient; subscribed: Set<string> } | undefined
  /**
   * Whether `onGap` was called for this connection, or its first synchronization has failed. Messages are dropped
   * until then: they would be delivered before those that were missed. After `onGap`, they are read from the store.
   */
  let isCaughtUp = false
  /** The last synchronization that was requested; resolves with whether it succeeded. */
  let synced = Promise.resolve(true)
  let isScheduled = false
  let isRetrying = false
  void run()

  async function run() {
    for (let pause = firstPauseMs; !closing.signal.aborted;) {
      const client = createRedisClient(url, false)
      const ended = Promise.race(
        ['error', 'sharded-channel-moved', 'end'].map((event) => once(client, event)),
      )
      ended.catch(() => {})
      client.on('error', () => {})
      try {
        await client.connect()
        // Redis accepts connections while it still loads its data.
        await client.ping()
        if (closing.signal.aborted) throw closing.signal.reason
        connection = { client, subscribed: new Set() }
        for (const channel of wanted) changed.add(channel)
        scheduleSync()
        const isSynced = await synced
        isCaughtUp = true
        if (isSynced) onGap()
        pause = firstPauseMs
        setReady()
        await ended
      } catch {
        // The loop tries again.
      }
      connection = undefined
      isCaughtUp = false
      if (client.isOpen) client.destroy()
      if (closing.signal.aborted) break
      onDown()
      await wait(pause, undefined, { signal: closing.signal }).catch(() => {})
      pause = Math.min(pause * 2, longestPauseMs)
    }
  }

  function scheduleSync() {
    if (isScheduled) return
    isScheduled = true
    synced = synced.then(sync)
  }

  /**
   * Subscribes to and unsubscribes from channels, one round at a time. The Redis client does not order a
   * subscribe after a pending unsubscribe from the same channel, so the subscribe could be lost.
   */
  async function sync() {
    isScheduled = false
    // A new connection subscribes to every wanted channel.
    if (!connection) return false
    const { client, subscribed } = connection
    const channels = [...changed]
    changed.clear()
    const added = channels.filter((channel) => wanted.has(channel) && !subscribed.has(channel))
    const removed = channels.filter((channel) => !wanted.has(channel) && subscribed.has(channel))
    const results = await Promise.allSettled([
      ...group(added).map(async (names) => {
        await client.sSubscribe(names, receive, true)
        for (const name of names) subscribed.add(name)
      }),
      ...group(removed).map(async (names) => {
        await client.sUnsubscribe(names, receive, true)
        for (const name of names) subscribed.delete(name)
      }),
    ])
    if (results.every(({ status }) => status === 'fulfilled')) return true
    for (const channel of channels) changed.add(channel)
    void retry()
    return false
  }

  async function retry() {
    if (isRetrying) return
    isRetrying = true
    while (changed.size > 0) {
      // The slot of a channel may have moved.
      onDown()
      await wait(firstPauseMs)
      // After a reconnect, every channel is subscribed, and `retry` is called again if that fails.
      if (!connection) break
      scheduleSync()
      if (await synced) onGap()
    }
    isRetrying = false
  }

  /** Groups channels by slot, because a command in a cluster may only name channels in one slot. */
  function group(channels: readonly string[]) {
    return [...Map.groupBy(channels, slotOf).values()]
  }

  function receive(payload: Buffer, channel: Buffer) {
    if (isCaughtUp) onMessage(channel.toString(), payload)
  }

  return {
    add(channel) {
      wanted.add(channel)
      changed.add(channel)
      scheduleSync()
    },
    remove(channel) {
      wanted.delete(channel)
      changed.add(channel)
      scheduleSync()
    },
    // Does not wait while disconnected, because `onGap` follows.
    settle: async () => (connection ? synced : undefined),
    ready,
    close() {
      closing.abort()
      connection?.client.destroy()
      connection = undefined
    },
  }
}
