import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { createGroupCommit } from '../createGroupCommit.ts'
import type { DriverEvents, PublishOutcome, RelayDriver } from '../RelayDriver.ts'
import { RelayStorageError } from '../../errors.ts'
import { commitWrites, createScriptedClient, isFault, prefix, type Write } from './commitWrites.ts'
import { fromEntry, fromNews, pick, type Entry, type Found } from './messages.ts'

export type RedisDriverOptions = DriverEvents & {
  /** `redis://` or `rediss://`. */
  url: string
  /** Unix time in ms. */
  now: () => number
  /** Told once when Redis goes away, and of sweeps that failed. */
  onTrouble?: (error: unknown) => void
  /** Told when Redis may lose what it has answered. */
  onRisk?: (what: string) => void
}

const sweepEveryMs = 30_000
const sweepMessages = 500
const readBytes = 1024 * 1024
/** Topics of one reading script, so that none holds Redis for long. */
const topicsAtOnce = 50
/** A Redis that says nothing for this long is left for a new connection. */
const silenceMs = 10_000
/** A Redis that is still reading its data is asked again after this. */
const loadingMs = 50

/**
 * The driver of any number of relay processes that share one Redis: streams are the mailboxes, pub/sub
 * tells every process what came. It is as durable as Redis is: with `appendonly yes` and
 * `appendfsync always` an answered message outlives a crash of the machine, with `everysec` a crash of
 * Redis but for about the last second.
 *
 * @throws {RelayStorageError} when Redis does not answer at the start.
 */
export async function createRedisDriver(options: RedisDriverOptions): Promise<RelayDriver> {
  const { now, onMessages, onGap, onTrouble = () => {}, onRisk = () => {} } = options
  let isStarted = false
  const connection = {
    url: options.url,
    pingInterval: silenceMs / 3,
    socket: {
      connectTimeout: 3_000,
      socketTimeout: silenceMs,
      // A start without Redis fails and says so; later it is waited for.
      reconnectStrategy: (retries: number, cause: Error) =>
        isStarted ? Math.min(50 * 2 ** retries, 1_000) : cause,
    },
  }
  // What is under way when the line breaks fails at once, and is written again by the group.
  const client = createScriptedClient(connection)
  // What it is to hear is told anew once there is a line again.
  const listener = createClient({ ...connection, disableOfflineQueue: true })
  let trouble: unknown
  client.on('error', (error) => (trouble = error)).on('ready', () => (trouble = undefined))
  listener.on('error', () => {}) // it comes back by itself
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
    commit: (writes) => commitWrites(client, writes, now()),
    isFault,
    weigh: (write) => (write.kind === 'publish' ? write.bytes : 200),
    onTrouble,
  })

  async function findRisk() {
    // A hosted Redis may keep its settings to itself; then there is nothing to say.
    const settings = await client.configGet(['appendonly', 'appendfsync']).catch(() => undefined)
    if (settings?.['appendonly'] === 'no')
      onRisk('Redis has appendonly off: when it crashes, messages that were answered are lost')
    else if (settings?.['appendfsync'] === 'no')
      onRisk('Redis has appendfsync no: what the machine had not written yet is lost with it')
  }

  const channel = (topic: string) => `${prefix}n:${topic}`
  const hear = (news: Buffer, from: Buffer) => {
    onMessages([fromNews(from.toString().slice(channel('').length), news)])
  }

  /** Topics to hear of, and those that became so, or no longer are, since Redis was last told. */
  const wanted = new Set<string>()
  const changed = new Set<string>()
  /** The last round that was asked for: whether it told Redis all that had changed until it began. */
  let told: Promise<boolean> = Promise.resolve(true)
  let isAsked = false
  function follow(topics: readonly string[]) {
    for (const topic of topics) changed.add(topic)
    if (isAsked) return
    isAsked = true
    told = told.then(tell)
  }
  /**
   * One round at a time. The client keeps no order between the end of a subscription and a new one to
   * the same channel: sent before the end is answered, the new one is taken for the old and goes with it.
   */
  async function tell() {
    isAsked = false
    // Once there is a line again its `ready` has all of it told.
    if (!listener.isReady) return false
    const topics = [...changed]
    changed.clear()
    const on = topics.filter((topic) => wanted.has(topic)).map(channel)
    const off = topics.filter((topic) => !wanted.has(topic)).map(channel)
    const answers = await Promise.allSettled([
      on.length > 0 && listener.subscribe(on, hear, true),
      off.length > 0 && listener.unsubscribe(off, hear, true),
    ])
    if (answers.every(({ status }) => status === 'fulfilled')) return true
    for (const topic of topics) changed.add(topic)
    void catchUp()
    return false
  }

  let isCatchingUp = false
  /** Something may have been told that was not heard: once all that is wanted is, it is read again. */
  async function catchUp() {
    if (isCatchingUp) return
    isCatchingUp = true
    // A line that breaks again has its own `ready` to come.
    while (listener.isReady) {
      // A Redis that starts takes lines before it has read its data.
      const isThere = await listener.ping().then(Boolean, () => false)
      if (isThere) {
        follow([])
        if (await told) {
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
      .catch(onTrouble)
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
      // While the line is down there is no point in waiting: everything is read again after it.
      if (listener.isReady) await told
      const bounds = [now(), limit, readBytes, afterSeq].map(String)
      const parts: Promise<{ topic: string; found: Found }[]>[] = []
      for (let start = 0; start < topics.length; start += topicsAtOnce) {
        const some = topics.slice(start, start + topicsAtOnce)
        parts.push(
          client
            .find(prefix, clientId, ...bounds, ...some)
            .then((told) =>
              (told as Found[]).map((found, index) => ({ topic: some[index]!, found })),
            ),
        )
      }
      const mailboxes = (await Promise.all(parts)).flat()
      const { picked, hasMore } = pick(mailboxes, { limit, bytes: readBytes })
      if (picked.length === 0) return { messages: [], hasMore }
      // Only what is told is read: each of the topics may hold as much as all of the answer may.
      const asked = picked.flatMap(({ topic, seq }) => [topic, String(seq)])
      const entries = (await client.take(prefix, ...asked)) as Entry[]
      return { messages: entries.map(fromEntry), hasMore }
    },
    async acknowledge(clientId, receipts) {
      await group.write({ kind: 'acknowledge', clientId, receipts })
    },
    watch(topics) {
      for (const topic of topics) wanted.add(topic)
      follow(topics)
    },
    unwatch(topics) {
      for (const topic of topics) wanted.delete(topic)
      follow(topics)
    },
    async stats() {
      const [topics = 0, messages = 0, bytes = 0] = await client.weigh(prefix)
      return { topics, messages, bytes }
    },
    trouble: () =>
      (trouble ?? group.trouble()) === undefined ? undefined : 'Redis does not answer',
    async close() {
      clearInterval(timer)
      await group.close()
      await sweeping
      for (const one of [client, listener]) one.destroy()
    },
  }
}
