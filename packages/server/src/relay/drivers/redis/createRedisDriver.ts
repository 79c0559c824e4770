import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { countItems } from '../countItems.ts'
import { createGroupCommit } from '../createGroupCommit.ts'
import type { DriverEvents, PublishOutcome, RelayDriver } from '../RelayDriver.ts'
import { RelayStorageError } from '../../errors.ts'
import { commitWrites, createScriptedClient, isFault, prefix, type Write } from './commitWrites.ts'
import { fromEntry, fromPayload, pick, type Entry, type Found } from './messages.ts'

export type RedisDriverOptions = DriverEvents & {
  /** `redis://` or `rediss://`. */
  url: string
  /** Unix time in ms. */
  now: () => number
  /** Called once when Redis becomes unavailable, and after each failed sweep. */
  onError?: (error: unknown) => void
  /** Called at the start if a crash of Redis would lose acknowledged writes, due to its configuration. */
  onRisk?: (what: string) => void
}

const sweepEveryMs = 30_000
const sweepMessages = 500
const readBytes = 1024 * 1024
/** Maximum messages, receipts and topics in one commit, so that no commit blocks Redis for long. */
const itemsAtOnce = 500
/** A connection on which Redis does not reply for this long, in ms, is replaced. */
const silenceMs = 10_000
/** Pause between pings while Redis loads its data. */
const loadingMs = 50

/**
 * The driver for several relay processes that share one Redis, with streams as mailboxes and pub/sub for the
 * fan-out. Durability depends on Redis: with `appendonly yes` and `appendfsync always`, an acknowledged message
 * survives a crash of the machine; with `everysec`, a crash may lose about the last second.
 *
 * @throws {RelayStorageError} if Redis does not respond at the start.
 */
export async function createRedisDriver(options: RedisDriverOptions): Promise<RelayDriver> {
  const { now, onMessages, onGap, onDropped = () => {}, onError = () => {} } = options
  const { onRisk = () => {} } = options
  let isStarted = false
  const connection = {
    url: options.url,
    pingInterval: silenceMs / 3,
    socket: {
      connectTimeout: 3_000,
      socketTimeout: silenceMs,
      // At the start, a failed connection is an error; later, the client reconnects.
      reconnectStrategy: (retries: number, cause: Error) =>
        isStarted ? Math.min(50 * 2 ** retries, 1_000) : cause,
    },
  }
  // Commands in flight fail when the connection breaks; the group commit retries them.
  const client = createScriptedClient(connection)
  // `catchUp` synchronizes its subscriptions after a reconnect.
  const listener = createClient({ ...connection, disableOfflineQueue: true })
  let connectionError: unknown
  client
    .on('error', (error) => (connectionError = error))
    .on('ready', () => (connectionError = undefined))
  listener.on('error', () => {}) // the client reconnects
  try {
    await Promise.all([client.connect(), listener.connect()])
  } catch (error) {
    for (const one of [client, listener]) if (one.isOpen) one.destroy()
    throw new RelayStorageError(error)
  }
  isStarted = true
  listener.on('ready', () => void catchUp())
  await findRisk()

  const group = createGroupCommit<Write, unknown>({
    commit: (writes) => commitWrites(client, writes, now(), onDropped),
    isFault,
    mostItems: itemsAtOnce,
    count: countItems,
    weigh: (write) => (write.kind === 'publish' ? write.bytes : 200),
    onError,
  })

  async function findRisk() {
    // A hosted Redis may not allow CONFIG GET.
    const settings = await client.configGet(['appendonly', 'appendfsync']).catch(() => undefined)
    if (settings?.['appendonly'] === 'no')
      onRisk('Redis has appendonly off: a crash loses acknowledged messages')
    else if (settings?.['appendfsync'] === 'no')
      onRisk(
        'Redis has appendfsync no: a crash of the machine loses messages not yet written to disk',
      )
  }

  const channel = (topic: string) => `${prefix}n:${topic}`
  const onPublished = (payload: Buffer, from: Buffer) => {
    onMessages([fromPayload(from.toString().slice(channel('').length), payload)])
  }

  /** Watched topics, and topics whose state has changed since the last synchronization with Redis. */
  const watched = new Set<string>()
  const changed = new Set<string>()
  /** The last synchronization that was requested; resolves with whether it succeeded. */
  let synced: Promise<boolean> = Promise.resolve(true)
  let isScheduled = false
  function scheduleSync(topics: readonly string[]) {
    for (const topic of topics) changed.add(topic)
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
    // The `ready` event after a reconnect starts the next synchronization.
    if (!listener.isReady) return false
    const topics = [...changed]
    changed.clear()
    const on = topics.filter((topic) => watched.has(topic)).map(channel)
    const off = topics.filter((topic) => !watched.has(topic)).map(channel)
    const answers = await Promise.allSettled([
      on.length > 0 && listener.subscribe(on, onPublished, true),
      off.length > 0 && listener.unsubscribe(off, onPublished, true),
    ])
    if (answers.every(({ status }) => status === 'fulfilled')) return true
    for (const topic of topics) changed.add(topic)
    void catchUp()
    return false
  }

  let isCatchingUp = false
  /** After a reconnect, synchronizes the subscriptions, then reports the gap. */
  async function catchUp() {
    if (isCatchingUp) return
    isCatchingUp = true
    // If the connection breaks again, the next `ready` event calls this function again.
    while (listener.isReady) {
      // Redis accepts connections while it still loads its data.
      const hasLoaded = await listener.ping().then(Boolean, () => false)
      if (hasLoaded) {
        scheduleSync([])
        if (await synced) {
          onGap()
          break
        }
      }
      await wait(loadingMs)
    }
    isCatchingUp = false
  }

  let sweeping: Promise<unknown> | undefined
  const timer = setInterval(() => {
    sweeping ??= sweep()
      .catch(onError)
      .finally(() => (sweeping = undefined))
  }, sweepEveryMs)
  async function sweep() {
    while (client.isReady) {
      const swept = await client.sweep(prefix, String(now()), String(sweepMessages))
      if (swept < sweepMessages) return
    }
  }

  return {
    publish(messages) {
      const bytes = messages.reduce((sum, { message }) => sum + message.length, 0)
      return group.write({ kind: 'publish', messages, bytes }) as Promise<PublishOutcome[]>
    },
    async subscribe(clientId, topics) {
      await group.write({ kind: 'subscribe', clientId, topics })
    },
    async unsubscribe(clientId, topics) {
      await group.write({ kind: 'unsubscribe', clientId, topics })
    },
    topicsOf: (clientId) => client.sMembers(`${prefix}s:${clientId}`),
    async read({ clientId, topics, afterSeq, limit }) {
      // Does not wait while disconnected, because `onGap` causes another read later.
      if (listener.isReady) await synced
      const bounds = [now(), limit, readBytes, afterSeq].map(String)
      const mailboxes: { topic: string; found: Found }[] = []
      // Sequential, because Redis serves no other client between the scripts of one pipeline.
      while (mailboxes.length < topics.length) {
        const rest = topics.slice(mailboxes.length)
        const page = (await client.findWaiting(prefix, clientId, ...bounds, ...rest)) as Found[]
        for (const found of page) mailboxes.push({ topic: topics[mailboxes.length]!, found })
      }
      const { picked, hasMore } = pick(mailboxes, { limit, bytes: readBytes })
      if (picked.length === 0) return { messages: [], hasMore }
      // Reads only the selected messages, because one topic may fill the whole page.
      const selected = picked.flatMap(({ topic, seq }) => [topic, String(seq)])
      const entries = (await client.readMessages(prefix, ...selected)) as Entry[]
      return { messages: entries.map(fromEntry), hasMore }
    },
    async acknowledge(clientId, receipts) {
      await group.write({ kind: 'acknowledge', clientId, receipts })
    },
    watch(topics) {
      for (const topic of topics) watched.add(topic)
      scheduleSync(topics)
    },
    unwatch(topics) {
      for (const topic of topics) watched.delete(topic)
      scheduleSync(topics)
    },
    async stats() {
      const [topics, messages, bytes] = (await client.readTotals(prefix)).map(Number)
      return { topics: topics!, messages: messages!, bytes: bytes! }
    },
    error: () =>
      (connectionError ?? group.error()) === undefined ? undefined : 'Redis is unavailable',
    async close() {
      clearInterval(timer)
      await group.close()
      await sweeping
      for (const one of [client, listener]) one.destroy()
    },
  }
}
