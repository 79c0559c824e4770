import { limits } from '@gatefold/protocol'
import type { Redis } from '../../../redis/openRedis.ts'
import type { NewMessage, Receipt } from '../RelayDriver.ts'
import { toAttestationText } from './messages.ts'
import { partitionOf, prefixOf } from './partitions.ts'
import { scripts } from './scripts.ts'

/** The part of a write that belongs to one partition. */
export type Part = { partition: number } & (
  | { kind: 'publish'; messages: readonly NewMessage[] }
  | { kind: 'subscribe'; changes: readonly Change[] }
  | { kind: 'acknowledge'; clientId: string; receipts: readonly Receipt[] }
)

/** Adds a member to a set or removes it. The set contains the topics of a client, or the clients of a topic. */
type Change = { set: string; member: string; isAdded: boolean }

/**
 * Minimum time for which a message is recognized if it is published again, counted from its first publication and
 * from its delivery.
 */
const knownMs = 10 * 60_000
const subscriptionLifeMs = 30 * 24 * 60 * 60_000

/** Groups items by the partition of their topic. */
export function byPartition<Item extends { topic: string }>(
  items: readonly Item[],
): Map<number, Item[]> {
  return Map.groupBy(items, ({ topic }) => partitionOf(topic))
}

/** The changes that subscribe a client to topics, or unsubscribe it from them. */
export function toChanges(
  clientId: string,
  topics: readonly string[],
  isAdded: boolean,
): Extract<Part, { kind: 'subscribe' }>[] {
  const all = topics.flatMap((topic) => [
    { owner: topic, set: `c:${topic}`, member: clientId, isAdded },
    { owner: clientId, set: `s:${clientId}`, member: topic, isAdded },
  ])
  const parts = Map.groupBy(all, ({ owner }) => partitionOf(owner))
  return [...parts].map(([partition, changes]) => ({ kind: 'subscribe', partition, changes }))
}

/**
 * Commits parts of writes. One script runs all publishes to a partition, and another one all changes
 * to its subscriptions. With more scripts, a Redis that becomes available halfway could refuse the first writes and
 * accept later ones. Acknowledgements run first, because they free memory, and a full Redis accepts nothing
 * else.
 *
 * @param onDropped - called with the charges of messages that the acknowledgements delete.
 * @returns a result for each part, `PublishOutcome[]` for a publish.
 * @throws if a script failed; the others may have taken effect. All parts can be repeated, in the same order.
 */
export async function commitParts(
  redis: Redis,
  parts: readonly Part[],
  now: number,
  onDropped: (charges: readonly string[]) => void,
): Promise<unknown[]> {
  const receipts = Map.groupBy(
    parts.filter((part) => part.kind === 'acknowledge'),
    ({ partition }) => partition,
  )
  const changes = Map.groupBy(
    parts.filter((part) => part.kind === 'subscribe'),
    ({ partition }) => partition,
  )
  const publishes = Map.groupBy(
    parts.filter((part) => part.kind === 'publish'),
    ({ partition }) => partition,
  )
  const limited = [now, limits.relayTopicMessages, limits.relayTopicBytes, knownMs].map(String)
  const lives = [knownMs, limits.relayTtlMaxSeconds * 1000].map(String)
  const calls = [
    ...[...receipts].map(([partition, group]) => ({
      script: scripts.acknowledge,
      key: prefixOf(partition),
      args: [
        ...lives,
        ...group.flatMap(({ clientId, receipts }) =>
          receipts.flatMap(({ topic, id }) => [clientId, topic, id]),
        ),
      ],
    })),
    ...[...changes].map(([partition, group]) => ({
      script: scripts.changeSubscriptions,
      key: prefixOf(partition),
      args: [
        `${subscriptionLifeMs}`,
        ...group.flatMap(({ changes }) =>
          changes.flatMap(({ set, member, isAdded }) => [set, member, isAdded ? '1' : '0']),
        ),
      ],
    })),
    ...[...publishes].map(([partition, group]) => ({
      script: scripts.publishMessages,
      key: prefixOf(partition),
      args: [...limited, ...group.flatMap(({ messages }) => messages.flatMap(toArgs))],
    })),
  ]
  const replies = await redis.commit(calls)
  for (const charges of replies.slice(0, receipts.size) as string[][]) onDropped(charges)
  const outcomes = new Map<Part, string[]>()
  for (const [index, group] of [...publishes.values()].entries()) {
    const found = replies[receipts.size + changes.size + index] as string[]
    for (const part of group) outcomes.set(part, found.splice(0, part.messages.length))
  }
  return parts.map((part) => outcomes.get(part))
}

function toArgs({
  topic,
  id,
  message,
  attestation,
  tag,
  publisher,
  ttlSeconds,
  charge = '',
}: NewMessage) {
  const texts = [publisher, String(tag), toAttestationText(attestation), charge, message]
  return [topic, id, String(ttlSeconds * 1000), ...texts]
}
