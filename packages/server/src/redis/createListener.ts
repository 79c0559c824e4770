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
  /** Adds a channel. Senders, such as network addresses, take turns. */
  add(channel: string, sender?: string): void
  remove(channel: string): void
  /**
   * Waits until those of the channels that were added are subscribed or have failed; not while disconnected.
   *
   * @returns whether they are subscribed. If not, `onGap` is called once they are.
   */
  settle(channels: readonly string[]): Promise<boolean>
  /** Resolves once the listener has connected for the first time. */
  ready: Promise<void>
  close(): void
}

const firstPauseMs = 50
const longestPauseMs = 1_000
/** Maximum number of channels in one round, so that no round takes long. */
const channelsPerRound = 250
/** Number of channels that one sender may change before the other senders have their turn. */
const channelsPerTurn = 25

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
  const wanted = new Set<string>()
  /** Channels that were added or removed since their last round, by sender. */
  const changed = new Map<string, Set<string>>()
  /** Channels that could not be subscribed or unsubscribed. They are changed again later. */
  const failed = new Set<string>()
  const closing = new AbortController()
  const { promise: ready, resolve: setReady } = Promise.withResolvers<void>()
  let connection: { client: RedisClient; subscribed: Set<string> } | undefined
  /**
   * Whether `onGap` was called for this connection, or its first synchronization has failed. Messages are dropped
   * until then: they would be delivered before those that were missed. After `onGap`, they are read from the store.
   */
  let isCaughtUp = false
  /** Resolved at the end of the current or the next round. */
  let round = Promise.withResolvers<void>()
  let isRunning = false
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
        failed.clear()
        changed.clear()
        for (const channel of wanted) change(channel)
        const isSynced = await settle([...wanted])
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
      endRound()
      if (client.isOpen) client.destroy()
      if (closing.signal.aborted) break
      onDown()
      await wait(pause, undefined, { signal: closing.signal }).catch(() => {})
      pause = Math.min(pause * 2, longestPauseMs)
    }
  }

  function change(channel: string, sender = '') {
    const channels = changed.get(sender)
    if (channels) channels.add(channel)
    else changed.set(sender, new Set([channel]))
    if (!isRunning) void runRounds()
  }

  /**
   * Subscribes to and unsubscribes from channels, one round at a time. The Redis client does not order a
   * subscribe after a pending unsubscribe from the same channel, so the subscribe could be lost.
   */
  async function runRounds() {
    isRunning = true
    // Changes that are made together are in one round.
    await Promise.resolve()
    for (;;) {
      // A new connection subscribes to every wanted channel.
      if (!connection || changed.size === 0) break
      await sync(connection, takeChanged())
      endRound()
    }
    isRunning = false
  }

  function endRound() {
    round.resolve()
    round = Promise.withResolvers()
  }

  /** Takes the channels of the next round from the senders in turn. */
  function takeChanged(): string[] {
    const taken = new Set<string>()
    for (const [sender, channels] of changed) {
      if (taken.size === channelsPerRound) break
      changed.delete(sender)
      const end = Math.min(channelsPerRound, taken.size + channelsPerTurn)
      for (const channel of channels) {
        if (taken.size === end) break
        channels.delete(channel)
        taken.add(channel)
      }
      // It is added as the last one.
      if (channels.size > 0) changed.set(sender, channels)
    }
    return [...taken]
  }

  async function sync(
    { client, subscribed }: NonNullable<typeof connection>,
    channels: readonly string[],
  ) {
    for (const channel of channels) failed.delete(channel)
    const added = channels.filter((channel) => wanted.has(channel) && !subscribed.has(channel))
    const removed = channels.filter((channel) => !wanted.has(channel) && subscribed.has(channel))
    // If it is added again during this round, the next one subscribes to it.
    for (const channel of removed) subscribed.delete(channel)
    await Promise.all([
      ...group(added).map(async (names) => {
        try {
          await client.sSubscribe(names, receive, true)
          for (const name of names) subscribed.add(name)
        } catch {
          fail(client, names)
        }
      }),
      ...group(removed).map(async (names) => {
        try {
          await client.sUnsubscribe(names, receive, true)
        } catch {
          for (const name of names) subscribed.add(name)
          fail(client, names)
        }
      }),
    ])
  }

  function fail(client: RedisClient, names: readonly string[]) {
    if (connection?.client !== client) return
    for (const name of names) failed.add(name)
    void retry()
  }

  async function retry() {
    if (isRetrying) return
    isRetrying = true
    while (failed.size > 0) {
      // The slot of a channel may have moved.
      onDown()
      await wait(firstPauseMs)
      // After a reconnect, every channel is subscribed, and `retry` is called again if that fails.
      if (!connection) break
      const channels = [...failed]
      failed.clear()
      for (const channel of channels) change(channel)
      if (await settle(channels)) onGap()
    }
    isRetrying = false
  }

  async function settle(channels: readonly string[]): Promise<boolean> {
    const rest = [...channels]
    let isSettled = true
    for (;;) {
      if (!connection) return false
      for (let channel = rest.at(-1); channel !== undefined; channel = rest.at(-1)) {
        if (wanted.has(channel) && failed.has(channel)) isSettled = false
        else if (wanted.has(channel) && !connection.subscribed.has(channel)) break
        rest.pop()
      }
      if (rest.length === 0) return isSettled
      await round.promise
    }
  }

  /** Groups channels by slot, because a command in a cluster may only name channels in one slot. */
  function group(channels: readonly string[]) {
    return [...Map.groupBy(channels, slotOf).values()]
  }

  function receive(payload: Buffer, channel: Buffer) {
    if (isCaughtUp) onMessage(channel.toString(), payload)
  }

  return {
    add(channel, sender) {
      wanted.add(channel)
      change(channel, sender)
    },
    remove(channel) {
      wanted.delete(channel)
      change(channel)
    },
    settle,
    ready,
    close() {
      closing.abort()
      connection?.client.destroy()
      connection = undefined
      endRound()
    },
  }
}
