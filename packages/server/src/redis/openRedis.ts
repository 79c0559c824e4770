import { ClientOfflineError, ErrorReply } from '@redis/client'
import { createChannels, type Channels } from './createChannels.ts'
import type { RedisClient, RedisNode } from './createNode.ts'
import { createTopology } from './createTopology.ts'
import type { Script } from './defineScript.ts'
import { RedisUnavailableError } from './RedisUnavailableError.ts'

/** A script with its keys and arguments. Only a {@link Redis} with `spansSlots` may use keys of several hash slots. */
export type ScriptCall = {
  script: Script<unknown>
  keys: readonly string[]
  args: readonly string[]
}

/** A single Redis, the primary behind Sentinels, or a Redis Cluster. All are used in the same way. */
export type Redis = {
  /**
   * Runs a script on the primary that holds its key.
   *
   * @param key - `KEYS[1]`. In a cluster, all keys that the script uses must have the same hash tag.
   * @throws the error that Redis returns, or the client's error while Redis is unavailable.
   */
  run<Reply>(script: Script<Reply>, key: string, ...args: string[]): Promise<Reply>

  /**
   * Runs scripts, and waits until the configured number of replicas has confirmed their writes. Each primary runs
   * its scripts in order.
   *
   * @returns the reply to each call.
   * @throws if a call failed, or too few replicas have confirmed. Calls may have taken effect nevertheless,
   * so only idempotent calls can be repeated.
   */
  commit(calls: readonly ScriptCall[]): Promise<unknown[]>

  /** Whether a call may use keys of several hash slots. A cluster refuses such calls. */
  spansSlots: boolean

  /** Opens the connections for sharded channels. Call this only once. */
  openChannels(events: Parameters<typeof createChannels>[1]): Promise<Channels>

  /**
   * The number of primaries at the start, and the index of the one that had a key's slot then. An outage of a
   * primary affects the keys with its index.
   */
  shardCount: number
  shardOf(key: string): number

  /** Whether every primary is connected. */
  isReady(): boolean

  close(): void
}

export type RedisOptions = {
  /** `redis://` or `rediss://` URLs of a single Redis, of nodes of a cluster, or of Sentinels. */
  urls: readonly string[]
  /** How many replicas must confirm a commit. */
  replicas: number
  /** Called at the start for each setting of Redis with which a crash or failover may lose acknowledged writes. */
  onRisk?: (what: string) => void
}

/** Time limit for the replicas to confirm a commit, in ms. */
const replicationMs = 1_000

/**
 * Opens the connections to Redis.
 *
 * @throws {RedisUnavailableError} if Redis cannot be used.
 */
export async function openRedis(options: RedisOptions): Promise<Redis> {
  const { urls, replicas, onRisk = () => {} } = options
  const topology = await createTopology({ urls })
  for (const node of topology.nodes()) await findRisks(node, replicas, onRisk)

  /** Looks up the primaries after an error that a failover may have caused. */
  function noteError(node: RedisNode, error: unknown) {
    if (error instanceof ErrorReply && error.message.startsWith('READONLY')) topology.replace(node)
    else if (!isFault(error)) void topology.refresh()
  }

  /**
   * The scripts in the cache of each server. A script that is missing there would run after the calls that follow
   * it, so its text is sent instead.
   */
  const cached = new WeakMap<RedisNode, Set<string>>()

  /** Sends calls on one connection. @returns a reply or an error for each call. */
  async function send(node: RedisNode, calls: readonly ScriptCall[]) {
    const client = node.writer
    const known = cached.get(node) ?? new Set()
    cached.set(node, known)
    // WAIT is sent on the same connection, because it covers only the writes of its own connection.
    const replies = calls.map((call) => {
      const evaluate = known.has(call.script.sha) ? evalSha : evalText
      known.add(call.script.sha)
      return evaluate(client, call).catch((error: unknown) => error)
    })
    const confirmed =
      replicas > 0 && client.wait(replicas, replicationMs).catch((error: unknown) => error)
    const results = await Promise.all(replies)
    const count = await confirmed
    if (count !== false && !(Number(count) >= replicas) && !results.some(isError))
      throw new RedisUnavailableError(
        `Fewer than ${replicas} replicas have confirmed a write.`,
        count,
      )
    return results
  }

  async function commitOn(node: RedisNode, calls: readonly ScriptCall[]): Promise<unknown[]> {
    try {
      const first = await send(node, calls)
      const unknown = calls.filter((_, index) => isUnknownScript(first[index]))
      // The server was restarted or replaced, so that its cache is empty.
      if (unknown.length > 0) cached.delete(node)
      const again = unknown.length > 0 ? await send(node, unknown) : []
      const results = first.map((result) => (isUnknownScript(result) ? again.shift() : result))
      const errors = results.filter(isError)
      if (errors.length > 0) throw errors.find((error) => !isFault(error)) ?? errors[0]!
      return results
    } catch (error) {
      noteError(node, error)
      throw error
    }
  }

  async function runOn(node: RedisNode, call: ScriptCall): Promise<unknown> {
    try {
      return await evalSha(node.reader, call).catch((error: unknown) => {
        if (!isUnknownScript(error)) throw error
        return evalText(node.reader, call)
      })
    } catch (error) {
      noteError(node, error)
      throw error
    }
  }

  return {
    async run<Reply>(script: Script<Reply>, key: string, ...args: string[]) {
      const call = { script, keys: [key], args }
      const reply = await runOn(topology.nodeOf(key), call).catch(async (error: unknown) => {
        if (!isMoved(error)) throw error
        await topology.refresh()
        return runOn(topology.nodeOf(key), call)
      })
      return reply as Reply
    },

    async commit(calls) {
      const byNode = Map.groupBy(calls, ({ keys }) => topology.nodeOf(keys[0]!))
      const results = await Promise.allSettled(
        [...byNode].map(async ([node, calls]) => [calls, await commitOn(node, calls)] as const),
      )
      const replies = new Map<ScriptCall, unknown>()
      let failure: PromiseRejectedResult | undefined
      for (const result of results) {
        if (result.status === 'rejected') {
          if (!failure || isFault(failure.reason)) failure = result
          continue
        }
        const [calls, found] = result.value
        for (const [index, call] of calls.entries()) replies.set(call, found[index])
      }
      if (failure) throw failure.reason
      return calls.map((call) => replies.get(call))
    },

    spansSlots: topology.spansSlots,
    openChannels: (events) => createChannels(topology, events),
    shardCount: topology.shardCount,
    shardOf: topology.shardOf,
    isReady() {
      const nodes = [...topology.nodes()]
      // There are no nodes while the connections to a demoted server are being replaced.
      return (
        nodes.length > 0 && nodes.every(({ writer, reader }) => writer.isReady && reader.isReady)
      )
    },
    close: () => topology.close(),
  }
}

/** Whether the command itself caused the error, so that a retry cannot succeed. */
export function isFault(error: unknown): boolean {
  return error instanceof ErrorReply && /^(WRONGTYPE|ERR)\b/.test(error.message)
}

/** Whether the connection was closed, so that the command was not sent. */
export function isUnsent(error: unknown): boolean {
  return error instanceof ClientOfflineError
}

/** Whether the error means that another node has the key's hash slot. */
function isMoved(error: unknown): boolean {
  return error instanceof ErrorReply && error.message.startsWith('MOVED')
}

function isError(value: unknown): value is Error {
  return value instanceof Error
}

/** Whether the script is missing from the server's cache, for example after a restart or a failover. */
function isUnknownScript(value: unknown): boolean {
  return value instanceof ErrorReply && value.message.startsWith('NOSCRIPT')
}

function evalSha(client: RedisClient, { script, keys, args }: ScriptCall): Promise<unknown> {
  return client.evalSha(script.sha, { keys: [...keys], arguments: [...args] })
}

function evalText(client: RedisClient, { script, keys, args }: ScriptCall): Promise<unknown> {
  return client.eval(script.text, { keys: [...keys], arguments: [...args] })
}

async function findRisks(
  { url, reader }: RedisNode,
  replicas: number,
  onRisk: (what: string) => void,
) {
  const { host } = new URL(url)
  // A hosted Redis may not allow these commands.
  const settings = await reader.configGet(['appendonly', 'appendfsync']).catch(() => undefined)
  if (settings?.['appendonly'] === 'no')
    onRisk(`Redis at ${host} has appendonly off: a crash loses acknowledged messages`)
  else if (settings?.['appendfsync'] === 'no')
    onRisk(
      `Redis at ${host} has appendfsync no: a crash of the machine loses messages not yet written to disk`,
    )
  const replication = await reader.info('replication').catch(() => '')
  const count = Number(/^connected_slaves:(\d+)/m.exec(replication)?.[1] ?? 0)
  if (count > replicas)
    onRisk(
      `Redis at ${host} has ${count} replicas, but only ${replicas} must confirm writes (GATEFOLD_REDIS_REPLICAS): a failover to another replica may lose acknowledged messages`,
    )
}
