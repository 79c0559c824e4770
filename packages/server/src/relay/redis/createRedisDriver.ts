import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from 'redis'
import { createWriteGroup } from '../createWriteGroup.ts'
import type { DriverEvents, PublishOutcome, RelayDriver } from '../driver.ts'
import { RelayStorageError } from '../errors.ts'
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
  const listener = createClient(connection)
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
  listener.on('ready', () => void tellGap())
  await findRisk()

  const group = createWriteGroup<Write, unknown>({
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

  /** Something may have been told while the line was down; once a ping is answered it listens again. */
  async function tellGap() {
    // A line that breaks again has its own `ready` to come.
    while (listener.isReady)
      try {
        await listener.ping()
        return onGap()
      } catch {
        // A Redis that starts takes lines before it has read its data.
        await wait(loadingMs)
      }
  }

  /** Ends when this process hears of everything that is published from now on. */
  let watching: Promise<unknown> = Promise.resolve()
  const channel = (topic: string) => `${prefix}n:${topic}`
  const hear = (news: Buffer, from: Buffer) => {
    onMessages([fromNews(from.toString().slice(channel('').length), news)])
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
      if (listener.isReady) await watching
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
      const heard = listener.subscribe(topics.map(channel), hear, true).catch(() => {})
      // Its result would hold that of the one before, and so on for ever.
      watching = Promise.all([watching, heard]).then(() => {})
    },
    unwatch(topics) {
      listener.unsubscribe(topics.map(channel)).catch(() => {})
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
