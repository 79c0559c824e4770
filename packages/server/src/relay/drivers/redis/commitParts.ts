import { limits } from '@gatefold/protocol'
import type { Redis, ScriptCall } from '../../../redis/openRedis.ts'
import type { NewMessage, Receipt } from '../RelayDriver.ts'
import { toAttestationText } from './messages.ts'
import { partitionOf, prefixOf } from './partitions.ts'
import { scripts } from './scripts.ts'

/** The part of a write that belongs to one partition. */
export type Part = { partition: number } & (
  | { kind: 'publish'; messages: readonly SentMessage[] }
  | { kind: 'subscribe'; changes: readonly Change[] }
  | { kind: 'acknowledge'; clientId: string; receipts: readonly Receipt[] }
)

/** A message with a unique name of its write, by which Redis recognizes a repeated write. */
export type SentMessage = NewMessage & { write: string }

/** Adds a member to a set or removes it. The set contains the topics of a client, or the clients of a topic. */
export type Change = { set: string; member: string; isAdded: boolean }

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

/** The changes that subscribe a client to topics, or unsubscribe it from them, by partition. */
export function toChanges(
  clientId: string,
  topics: readonly string[],
  isAdded: boolean,
): Map<number, Change[]> {
  const changes = topics.flatMap((topic) => [
    { set: `c:${topic}`, member: clientId, isAdded },
    { set: `s:${clientId}`, member: topic, isAdded },
  ])
  return Map.groupBy(changes, ({ set }) => partitionOf(set.slice(2)))
}

/**
 * Commits parts of writes. On a single Redis, one script runs all publishes, another one all changes to subscriptions,
 * and another one all acknowledgements. On a cluster, there are such scripts for each partition. With more scripts, a
 * Redis that becomes available halfway could refuse the first writes and accept later ones. Acknowledgements run first,
 * because they free memory, and a full Redis accepts nothing else.
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
  const limited = [now, limits.relayTopicMessages, limits.relayTopicBytes, knownMs].map(String)
  const lives = [knownMs, limits.relayTtlMaxSeconds * 1000].map(String)
  const groups = [
    ...groupParts(redis, parts, 'acknowledge'),
    ...groupParts(redis, parts, 'subscribe'),
    ...groupParts(redis, parts, 'publish'),
  ]
  const replies = await redis.commit(
    groups.map(({ kind, parts }) => {
      if (kind === 'acknowledge') return toCall(scripts.acknowledge, lives, parts)
      if (kind === 'publish') return toCall(scripts.publishMessages, limited, parts)
      return toCall(scripts.changeSubscriptions, [`${subscriptionLifeMs}`], parts)
    }),
  )
  const outcomes = new Map<Part, string[]>()
  for (const [index, { kind, parts }] of groups.entries()) {
    const reply = replies[index] as string[]
    if (kind === 'acknowledge') onDropped(reply)
    let start = 0
    for (const part of parts)
      if (part.kind === 'publish')
        outcomes.set(part, reply.slice(start, (start += part.messages.length)))
  }
  return parts.map((part) => outcomes.get(part))
}

/** Groups the parts of a kind that one script commits. */
function groupParts(
  { spansSlots }: Redis,
  parts: readonly Part[],
  kind: Part['kind'],
): { kind: Part['kind']; parts: Part[] }[] {
  const found = parts.filter((part) => part.kind === kind)
  if (found.length === 0) return []
  const groups = spansSlots ? [found] : Map.groupBy(found, ({ partition }) => partition).values()
  return Array.from(groups, (parts) => ({ kind, parts }))
}

/** Creates the call that commits parts. The arguments of each item start with the index of its key. */
function toCall(
  script: ScriptCall['script'],
  head: readonly string[],
  parts: readonly Part[],
): ScriptCall {
  const indexes = new Map<number, string>()
  const args = [...head]
  for (const part of parts) {
    const index = indexes.get(part.partition) ?? `${indexes.size + 1}`
    indexes.set(part.partition, index)
    if (part.kind === 'acknowledge')
      for (const { topic, id } of part.receipts) args.push(index, part.clientId, topic, id)
    else if (part.kind === 'publish')
      for (const message of part.messages) args.push(index, ...toArgs(message))
    else
      for (const { set, member, isAdded } of part.changes)
        args.push(index, set, member, isAdded ? '1' : '0')
  }
  return { script, keys: [...indexes.keys()].map(prefixOf), args }
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
  write,
}: SentMessage) {
  const texts = [publisher, String(tag), toAttestationText(attestation), charge, write, message]
  return [topic, id, String(ttlSeconds * 1000), ...texts]
}
