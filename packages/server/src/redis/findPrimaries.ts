import { createClient } from '@redis/client'
import { RedisUnavailableError } from './RedisUnavailableError.ts'
import { slotCount } from './slotOf.ts'

/** A server that accepts writes for ranges of hash slots. */
export type Primary = { url: string; ranges: readonly (readonly [first: number, last: number])[] }

export type RedisMode = 'standalone' | 'cluster' | 'sentinel'

export const connectTimeoutMs = 3_000

/**
 * Queries a server for the primaries that accept writes: for a node of a Redis Cluster, the primaries of the
 * cluster; for a Sentinel, the primary that it watches; for any other Redis, the server itself.
 *
 * @param url - for a single Redis, the path is a database number. For a Sentinel, the path is the name of a
 * primary; it may be empty if the Sentinel watches only one. For a cluster, the path is ignored.
 * @throws {RedisUnavailableError} if the cluster is down, or if the path does not select exactly one primary of
 * the Sentinel.
 */
export async function findPrimaries(
  url: string,
): Promise<{ mode: RedisMode; primaries: Primary[] }> {
  const seed = new URL(url)
  const path = seed.pathname.slice(1)
  const at = (host: string, port: number | string) => {
    const found = new URL(url)
    found.hostname = host.includes(':') ? `[${host}]` : host || seed.hostname
    found.port = `${port}`
    found.pathname = ''
    return found.href
  }
  const client = createClient({
    url: at(seed.hostname, seed.port),
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: connectTimeoutMs,
      reconnectStrategy: false,
    },
  })
  client.on('error', () => {}) // `connect` rejects
  try {
    await client.connect()
    const { mode } = (await client.hello()) as { mode: RedisMode }
    if (mode === 'cluster') {
      // A node that is cut off from the others has an outdated view of the cluster.
      if (!(await client.clusterInfo()).includes('cluster_state:ok'))
        throw new RedisUnavailableError('The Redis Cluster is down.')
      const byNode = Map.groupBy(await client.clusterSlots(), ({ master }) =>
        at(master.host, master.port),
      )
      const primaries = [...byNode].map(([url, slots]) => ({
        url,
        ranges: slots.map(({ from, to }) => [from, to] as const),
      }))
      return { mode, primaries }
    }
    const ranges = [[0, slotCount - 1]] as const
    if (mode !== 'sentinel') return { mode, primaries: [{ url, ranges }] }
    const watched = await client.sendCommand<Record<string, string>[]>(['SENTINEL', 'MASTERS'])
    const chosen = path ? watched.filter(({ name }) => name === path) : watched
    const [primary] = chosen
    if (chosen.length !== 1 || !primary)
      throw new RedisUnavailableError(
        `The Sentinel watches ${watched.length} primaries; the path of its URL must name one of them.`,
      )
    return { mode, primaries: [{ url: at(primary['ip']!, primary['port']!), ranges }] }
  } finally {
    client.destroy()
  }
}
