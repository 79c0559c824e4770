import { setTimeout as wait } from 'node:timers/promises'
import { createNode, type RedisNode } from './createNode.ts'
import { findPrimaries, type Primary, type RedisMode } from './findPrimaries.ts'
import { RedisUnavailableError } from './RedisUnavailableError.ts'
import { slotCount, slotOf } from './slotOf.ts'

export type Topology = Awaited<ReturnType<typeof createTopology>>

/** Interval between lookups of the primaries in a cluster or with Sentinels, in ms. */
const lookUpEveryMs = 5_000
/** Minimum pause between two lookups, in ms. */
const lookUpPauseMs = 200

/**
 * Tracks the primary of every hash slot, and keeps connections to all primaries. A single Redis is the
 * primary of all slots. In a cluster and with Sentinels, looks up the primaries every few seconds and after
 * errors.
 *
 * @param options.urls - servers to query; the first one that responds is used.
 * @throws {RedisUnavailableError} if no server responds, a primary does not respond, or the URLs do not fit the
 * setup.
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
  /** Selects the server to query next. Incremented after a failed query, so that another server is queried. */
  let turn = 0

  await lookUp().catch((error: unknown) => {
    closeNodes()
    throw error
  })
  const firstNodes = [...nodes.values()]
  /** For each slot, the index of its primary at the start. */
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
            'Several Redis URLs must belong to one cluster, or to Sentinels.',
          )
        mode = found.mode
        await use(found.primaries)
        return
      } catch (error) {
        cause = error
        turn += 1
      }
    }
    throw new RedisUnavailableError('Redis is unavailable, or its URLs are wrong.', cause)
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
    await Promise.all(added).catch((error: unknown) => {
      // At the start, all primaries must respond. Later, connections are retried.
      if (!isStarted) throw error
    })
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

  /**
   * Looks up the primaries, or waits for the lookup that is running. Resolves even if the lookup fails. Does
   * nothing for a single Redis whose connections are not being replaced.
   */
  function refresh(): Promise<void> {
    const isFixed = mode === 'standalone' && nodes.size > 0
    if (!isStarted || isClosed || isFixed) return Promise.resolve()
    looking ??= lookUp()
      .catch(() => {}) // the next failed command or the timer starts another lookup
      .then(() => wait(lookUpPauseMs))
      .finally(() => (looking = undefined))
    return looking
  }

  return {
    nodes: (): Iterable<RedisNode> => nodes.values(),
    nodeOf: (key: string): RedisNode => owners[slotOf(key)]!,
    /** Whether one server has all hash slots, and is not part of a cluster. */
    get spansSlots() {
      return mode !== 'cluster'
    },
    /** The number of primaries at the start. */
    shardCount: firstNodes.length,
    /** The index of the primary that had a key's slot at the start. */
    shardOf: (key: string): number => shards[slotOf(key)]!,
    refresh,
    /** Replaces the connections to a server that is no longer a primary. */
    replace(node: RedisNode) {
      if (nodes.get(node.url) !== node) return
      closeNode(node)
      void refresh()
    },
    /** Adds a listener that is called whenever slots have moved. @returns a function that removes it. */
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
