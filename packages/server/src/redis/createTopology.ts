import { setTimeout as wait } from 'node:timers/promises'
import { createNode, type RedisNode } from './createNode.ts'
import { findPrimaries, type Primary, type RedisMode } from './findPrimaries.ts'
import { RedisUnavailableError } from './RedisUnavailableError.ts'
import { slotCount, slotOf } from './slotOf.ts'

export type Topology = Awaited<ReturnType<typeof createTopology>>

/** How often the primaries of a cluster or a Sentinel are looked up, in ms. */
const lookUpEveryMs = 5_000
/** Shortest time between two lookups after errors, in ms. */
const lookUpPauseMs = 200

/**
 * Knows the primary of every hash slot, and keeps connections to all primaries. One Redis is the primary
 * of all slots. After errors, and every few seconds in a cluster or with Sentinel, looks up the primaries
 * again.
 *
 * @param options.urls - servers to ask; the first that answers is used.
 * @throws {RedisUnavailableError} if none answers, or a primary does not.
 * @see docs/adr/0010-redis-nodes.md
 */
export async function createTopology(options: { urls: readonly string[] }) {
  const listeners = new Set<() => void>()
  const nodes = new Map<string, RedisNode>()
  const owners: RedisNode[] = Array.from({ length: slotCount })
  let mode: RedisMode = 'standalone'
  let isStarted = false
  let isClosed = false
  let looking: Promise<void> | undefined
  /** The server to ask next; varies, because a partitioned server has an old view. */
  let turn = 0

  await lookUp()
  /** The index of the primary that had each slot at the start. */
  const firstNodes = [...nodes.values()]
  const shards = owners.map((node) => firstNodes.indexOf(node))
  isStarted = true
  const timer = mode === 'standalone' ? undefined : setInterval(refresh, lookUpEveryMs)

  async function lookUp() {
    const known = mode === 'cluster' ? [...nodes.keys()] : []
    const urls = [...new Set([...known, ...options.urls])]
    let cause: unknown
    for (const _ of urls) {
      const url = urls[turn % urls.length]!
      try {
        const found = await findPrimaries(url)
        if (isClosed) return
        if (found.mode === 'standalone' && options.urls.length > 1)
          throw new RedisUnavailableError(
            'Several Redis URLs must be of one cluster or of Sentinels.',
          )
        mode = found.mode
        await use(found.primaries)
        return
      } catch (error) {
        cause = error
        turn += 1
      }
    }
    throw new RedisUnavailableError('Redis does not answer.', cause)
  }

  async function use(primaries: readonly Primary[]) {
    const added: Promise<void>[] = []
    const before = [...owners]
    for (const { url, ranges } of primaries) {
      let node = nodes.get(url)
      if (!node) {
        const created = createNode({ url, onDown: refresh })
        node = created.node
        nodes.set(url, node)
        added.push(created.connected)
      }
      for (const [first, last] of ranges) owners.fill(node, first, last + 1)
    }
    try {
      await Promise.all(added)
    } catch (error) {
      // At the start, all must answer; later, they are retried.
      if (!isStarted) {
        closeNodes()
        throw error
      }
    }
    const used = new Set(owners)
    if (used.has(undefined!)) throw new RedisUnavailableError('Some hash slots have no primary.')
    for (const node of nodes.values()) if (!used.has(node)) closeNode(node)
    if (owners.some((node, slot) => node !== before[slot])) for (const notify of listeners) notify()
  }

  function closeNode(node: RedisNode) {
    nodes.delete(node.url)
    node.close()
  }

  function closeNodes() {
    for (const node of nodes.values()) closeNode(node)
  }

  /** Looks up the primaries again soon. Resolves when done, also after a failure. */
  function refresh(): Promise<void> {
    const isFixed = mode === 'standalone' && nodes.size > 0
    if (!isStarted || isClosed || isFixed) return Promise.resolve()
    looking ??= lookUp()
      .catch(() => {}) // the next command that fails looks again
      .then(() => wait(lookUpPauseMs))
      .finally(() => (looking = undefined))
    return looking
  }

  return {
    nodes: (): Iterable<RedisNode> => nodes.values(),
    nodeOf: (key: string): RedisNode => owners[slotOf(key)]!,
    /** How many primaries there were at the start. */
    shardCount: firstNodes.length,
    /** The index of the primary that had a key at the start. */
    shardOf: (key: string): number => shards[slotOf(key)]!,
    refresh,
    /** Replaces the connections to a server that is no longer a primary. */
    replace(node: RedisNode) {
      if (nodes.get(node.url) !== node) return
      closeNode(node)
      void refresh()
    },
    /** Calls a listener whenever slots have moved. @returns a function that stops this */
    onChange(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      isClosed = true
      clearInterval(timer)
      closeNodes()
    },
  }
}
