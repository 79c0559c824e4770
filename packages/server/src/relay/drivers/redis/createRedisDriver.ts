import { randomBytes } from 'node:crypto'
import { isFault, isUnsent, type Redis } from '../../../redis/openRedis.ts'
import { createGroupCommit, type Lane } from '../createGroupCommit.ts'
import type { DriverEvents, PublishOutcome, RelayDriver } from '../RelayDriver.ts'
import { publishParts, sizeOf, splitItems } from '../writeParts.ts'
import { byPartition, commitParts, toChanges, type Change, type Part } from './commitParts.ts'
import { fromEntry, fromPayload, pick, type Found } from './messages.ts'
import { channelOf, partitionOf, partitions, prefixOf, topicOf } from './partitions.ts'
import { scripts } from './scripts.ts'

export type RedisDriverOptions = DriverEvents & {
  redis: Redis
  /** Unix time in ms. */
  now: () => number
  /** Called once for each primary that becomes unavailable, and after each failed sweep. */
  onError?: (error: unknown) => void
}

const sweepEveryMs = 30_000
const sweepMessages = 500
const readBytes = 1024 * 1024
/** Maximum messages, receipts and subscription changes in one commit, so that no commit blocks Redis for long. */
const itemsAtOnce = 500
/** Time after which an unwatched topic is unsubscribed, so that a client that soon reconnects causes no changes. */
const leaveMs = 5_000
const leaveEveryMs = 100
/** Maximum number of unwatched topics that are unsubscribed every {@link leaveEveryMs}. */
const leftAtOnce = 500
/** Maximum number of unwatched topics that are still subscribed. */
const maxLeaving = 50_000

/**
 * The driver for several relay processes that share a Redis or a Redis Cluster, with streams as mailboxes and
 * sharded pub/sub for the fan-out. Durability depends on Redis: with `appendonly yes` and `appendfsync always`,
 * an acknowledged message survives a crash of the machine; with `everysec`, a crash may lose about the last
 * second. A failover loses writes that the new primary has not received, unless replicas confirm each commit.
 *
 * @see docs/relay-production.md#failover
 */
export async function createRedisDriver(options: RedisDriverOptions): Promise<RelayDriver> {
  const { redis, now, onMessages, onGap, onDropped = () => {}, onError = () => {} } = options
  const instance = randomBytes(6).toString('base64url')
  let writes = 0
  const nextName = () => `${instance}${(writes += 1).toString(36)}`
  const channels = await redis.openChannels({ onMessage: receive, onGap })

  /** Unwatched topics that are still subscribed, oldest first, and since when, in ms of a monotonic clock. */
  const leaving = new Map<string, number>()
  const leaver = setInterval(() => {
    const before = performance.now() - leaveMs
    const due: string[] = []
    for (const [topic, since] of leaving) {
      if (since > before || due.length === leftAtOnce) break
      due.push(topic)
    }
    if (due.length > 0) leave(due)
  }, leaveEveryMs)

  function leave(topics: readonly string[]) {
    for (const topic of topics) leaving.delete(topic)
    channels.remove(topics.map(channelOf))
  }

  function receive(channel: string, payload: Buffer) {
    const topic = topicOf(channel)
    if (!leaving.has(topic)) onMessages([fromPayload(topic, payload)])
  }

  // One queue for each primary, so that an outage of one primary does not delay writes to the others.
  const groups = Array.from({ length: redis.shardCount }, () =>
    createGroupCommit<SentPart, unknown>({
      commit: (parts) => commitParts(redis, parts, now(), onDropped),
      isFault,
      isUnsent,
      maxItems: itemsAtOnce,
      waitingShare: 1 / redis.shardCount,
      count: countItems,
      laneOf,
      weigh,
      onError,
    }),
  )
  const groupsByPartition = partitions.map(
    (partition) => groups[redis.shardOf(prefixOf(partition))]!,
  )

  function write(part: Part, address: string): Promise<unknown> {
    return groupsByPartition[part.partition]!.write({ ...part, address })
  }

  async function changeSubscriptions(
    changes: ReadonlyMap<number, readonly Change[]>,
    address: string,
  ) {
    await Promise.all(
      split(changes).map(([partition, changes]) =>
        write({ kind: 'subscribe', partition, changes }, address),
      ),
    )
  }

  let sweeping: Promise<unknown> | undefined
  const timer = setInterval(() => {
    sweeping ??= sweep()
      .catch(onError)
      .finally(() => (sweeping = undefined))
  }, sweepEveryMs)
  async function sweep() {
    if (!redis.isReady()) return
    const args = [`${now()}`, `${sweepMessages}`]
    for (const partition of partitions)
      while ((await redis.run(scripts.sweep, prefixOf(partition), ...args)) === sweepMessages);
  }

  /** Searches the mailboxes of topics, one partition after the other. */
  async function search(
    topics: readonly string[],
    args: readonly string[],
  ): Promise<{ topic: string; found: Found }[]> {
    const mailboxes: { topic: string; found: Found }[] = []
    for (const [partition, group] of Map.groupBy(topics, partitionOf)) {
      // Sequential, because Redis serves no other client between the scripts of one pipeline.
      for (let rest = group; rest.length > 0;) {
        const page = await redis.run(scripts.findWaiting, prefixOf(partition), ...args, ...rest)
        mailboxes.push(...page.map((found, index) => ({ topic: rest[index]!, found })))
        rest = rest.slice(page.length)
      }
    }
    return mailboxes
  }

  return {
    async publish(messages, address = '') {
      const indexes = Map.groupBy(messages.keys(), (index) => partitionOf(messages[index]!.topic))
      const parts = split(indexes).map(([, indexes]) => indexes)
      return publishParts(messages.length, parts, async (indexes) => {
        const named = indexes.map((index) => ({ ...messages[index]!, write: nextName() }))
        const partition = partitionOf(named[0]!.topic)
        const found = await write({ kind: 'publish', partition, messages: named }, address)
        return found as PublishOutcome[]
      })
    },
    subscribe: (clientId, topics, address = '') =>
      changeSubscriptions(toChanges(clientId, topics, true), address),
    unsubscribe: (clientId, topics, address = '') =>
      changeSubscriptions(toChanges(clientId, topics, false), address),
    topicsOf: (clientId) =>
      redis.run(scripts.readTopics, prefixOf(partitionOf(clientId)), clientId),
    async read({ clientId, topics, afterSeq, limit }) {
      // Does not wait while disconnected, because `onGap` causes another read later.
      await channels.settle(topics.map(channelOf))
      const args = [clientId, ...[now(), limit, readBytes, afterSeq].map(String)]
      const mailboxes = await search(topics, args)
      const { picked, hasMore } = pick(mailboxes, { limit, bytes: readBytes })
      // Reads only the selected messages, because one topic may fill the whole page.
      const entries = await Promise.all(
        [...byPartition(picked)].map(([partition, selected]) => {
          const ids = selected.flatMap(({ topic, seq }) => [topic, `${seq}`])
          return redis.run(scripts.readMessages, prefixOf(partition), ...ids)
        }),
      )
      const messages = entries.flat().map(fromEntry)
      return { messages: messages.toSorted((a, b) => a.seq - b.seq), hasMore }
    },
    async acknowledge(clientId, receipts, address = '') {
      await Promise.all(
        split(byPartition(receipts)).map(([partition, receipts]) =>
          write({ kind: 'acknowledge', partition, clientId, receipts }, address),
        ),
      )
    },
    watch(topics, address) {
      for (const topic of topics) leaving.delete(topic)
      channels.add(topics.map(channelOf), address)
    },
    unwatch(topics) {
      for (const topic of topics) leaving.set(topic, performance.now())
      for (const topic of leaving.keys()) {
        if (leaving.size <= maxLeaving) break
        leave([topic])
      }
    },
    async stats() {
      const totals = await Promise.all(
        partitions.map((partition) => redis.run(scripts.readTotals, prefixOf(partition))),
      )
      const sum = (index: number) =>
        totals.reduce((total, counts) => total + Number(counts[index]), 0)
      return { topics: sum(0), messages: sum(1), bytes: sum(2) }
    },
    error: () =>
      redis.isReady() && groups.every((group) => group.error() === undefined)
        ? undefined
        : 'Redis is unavailable',
    async close() {
      clearInterval(timer)
      clearInterval(leaver)
      await Promise.all(groups.map((group) => group.close()))
      await sweeping
      channels.close()
    },
  }
}

/** A part with the network address of the client that writes it. */
type SentPart = Part & { address: string }

/** Divides the items of each partition. @see {@link splitItems} */
function split<Item>(items: ReadonlyMap<number, readonly Item[]>): [partition: number, Item[]][] {
  return [...items].flatMap(([partition, all]) =>
    splitItems(all).map((part): [number, Item[]] => [partition, part]),
  )
}

/** The sender of a part, which has at least one message or change. */
function laneOf(part: SentPart): Lane {
  return { address: part.address, clientId: clientOf(part) }
}

function clientOf(part: Part): string {
  if (part.kind === 'publish') return part.messages[0]!.publisher
  if (part.kind === 'acknowledge') return part.clientId
  const { set, member } = part.changes[0]!
  return set.startsWith('s:') ? set.slice(2) : member
}

function countItems(part: Part): number {
  if (part.kind === 'publish') return part.messages.length
  return part.kind === 'acknowledge' ? part.receipts.length : part.changes.length
}

function weigh(part: Part): number {
  if (part.kind !== 'publish') return 200
  return sizeOf(part.messages)
}
