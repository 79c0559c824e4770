import { limits } from '@gatefold/protocol'
import { createClient, ErrorReply, MultiErrorReply, type RedisClientOptions } from '@redis/client'
import type { NewMessage, Receipt } from '../RelayDriver.ts'
import { toAttestationText } from './messages.ts'
import { scripts } from './scripts.ts'

export type Write =
  | { kind: 'publish'; messages: readonly NewMessage[]; bytes: number }
  | { kind: 'subscribe' | 'unsubscribe'; clientId: string; topics: readonly string[] }
  | { kind: 'acknowledge'; clientId: string; receipts: readonly Receipt[] }

export type ScriptedClient = ReturnType<typeof createScriptedClient>

/** Prefix of all keys. Its number changes with every change that older relays could not read. */
export const prefix = 'gatefold:relay:2:'
/** How long an expired or delivered message is recognized if a client publishes it again, in ms. */
const knownMs = 10 * 60_000
const subscriptionLifeMs = 30 * 24 * 60 * 60_000

/** A Redis client with the scripts as methods. Commands fail while it is disconnected. */
export function createScriptedClient(
  options: Pick<RedisClientOptions, 'url' | 'socket' | 'pingInterval'>,
) {
  return createClient({ ...options, scripts, disableOfflineQueue: true })
}

/**
 * Commits writes in one pipeline, which Redis writes to disk together. Publishes and subscriptions form
 * one transaction. Without it, a Redis that becomes available halfway would refuse the first writes and
 * accept later ones. Acknowledgements are not part of the transaction: they free memory, but a full
 * Redis refuses transactions.
 *
 * @param onDropped - called with the charges of messages that the acknowledgements delete.
 * @returns a result for each write, `PublishOutcome[]` for a publish.
 * @throws {ErrorReply} from Redis; the transaction then took effect as a whole or not at all.
 */
export async function commitWrites(
  client: ScriptedClient,
  writes: readonly Write[],
  now: number,
  onDropped: (charges: readonly string[]) => void,
): Promise<unknown[]> {
  // The client would queue a transaction until it has reconnected.
  if (!client.isReady) throw new Error('Redis is not connected')
  const receipts = writes.filter((write) => write.kind === 'acknowledge')
  const others = writes.filter((write) => write.kind !== 'acknowledge')
  const [replies] = await Promise.all([
    commitTogether(client, others, now),
    ...receipts.map(async (write) => onDropped(await acknowledge(client, write))),
  ])
  let next = 0
  return writes.map((write) => (write.kind === 'acknowledge' ? undefined : replies[next++]))
}

/** Whether the writes caused an error, so that a retry cannot help. */
export function isFault(error: unknown): boolean {
  return error instanceof ErrorReply && /^(WRONGTYPE|ERR)\b/.test(error.message)
}

type Receipts = Extract<Write, { kind: 'acknowledge' }>

async function commitTogether(
  client: ScriptedClient,
  writes: readonly Exclude<Write, Receipts>[],
  now: number,
): Promise<unknown[]> {
  if (writes.length === 0) return []
  const transaction = client.multi()
  for (const write of writes) {
    if (write.kind === 'publish') {
      const limited = [now, limits.relayTopicMessages, limits.relayTopicBytes, knownMs].map(String)
      transaction.publishMessages(prefix, ...limited, ...write.messages.flatMap(toArgs))
      continue
    }
    const { clientId, topics } = write
    if (write.kind === 'unsubscribe') transaction.removeTopics(prefix, clientId, ...topics)
    else transaction.addTopics(prefix, clientId, String(subscriptionLifeMs), ...topics)
  }
  try {
    return await transaction.exec()
  } catch (error) {
    if (!(error instanceof MultiErrorReply)) throw error
    const errors = [...error.errors()]
    throw errors.find((one) => !isFault(one)) ?? errors[0]
  }
}

function acknowledge(client: ScriptedClient, { clientId, receipts }: Receipts) {
  const lives = [knownMs, limits.relayTtlMaxSeconds * 1000].map(String)
  const ids = receipts.flatMap(({ topic, id }) => [topic, id])
  return client.acknowledge(prefix, clientId, ...lives, ...ids)
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
