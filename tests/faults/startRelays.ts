import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startProgram, type Program } from '../program.ts'
import { startRedis } from '../redis.ts'
import { startRedisCluster, type RedisCluster } from '../redisCluster.ts'
import { startBalancer } from './startBalancer.ts'
import { startPostgres, type Store } from './startPostgres.ts'

const bin = fileURLToPath(new URL('../../packages/server/src/bin.ts', import.meta.url))

export const storeKinds = ['SQLite', 'PostgreSQL', 'Redis'] as const

export type StoreKind = (typeof storeKinds)[number] | 'Redis Cluster'

/** Relay processes that run as in production, their store, and the URL for clients. */
export type Relays = {
  storeKind: StoreKind
  /** `ws://…` */
  url: string
  /** One process, or two on Redis or a Redis Cluster. */
  programs: Program[]
  /** PostgreSQL or Redis; undefined for SQLite and for a Redis Cluster. */
  store: Store | undefined
  cluster: RedisCluster | undefined
  stop(): Promise<void>
}

/**
 * Starts a relay with an empty store. With Redis or a Redis Cluster, starts two relays behind a load
 * balancer.
 */
export async function startRelays(
  storeKind: StoreKind,
  env: Record<string, string> = {},
): Promise<Relays> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatefold-faults-'))
  const undo: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })]
  const stop = async () => {
    for (let last = undo.pop(); last; last = undo.pop()) await last()
  }
  try {
    const store = await startStore(storeKind)
    if (store) undo.push(() => store.stop())
    const isCluster = storeKind === 'Redis Cluster'
    const cluster = isCluster ? await startRedisCluster({ primaries: 3 }) : undefined
    if (cluster) undo.push(() => cluster.stop())
    const count = storeKind === 'Redis' || isCluster ? 2 : 1
    const programs: Program[] = []
    for (let started = 0; started < count; started += 1) {
      const program = await startRelayProgram({
        GATEFOLD_DATA_DIR: dataDir,
        ...(storeKind === 'PostgreSQL' && { DATABASE_URL: store!.url }),
        ...(storeKind === 'Redis' && { REDIS_URL: store!.url }),
        ...(cluster && { REDIS_URL: cluster.urls.join(','), GATEFOLD_REDIS_REPLICAS: '1' }),
        ...env,
      })
      undo.push(() => program.stop())
      programs.push(program)
    }
    let { port } = programs[0]!
    if (programs.length > 1) {
      const balancer = await startBalancer(programs.map((program) => program.port))
      undo.push(() => balancer.stop())
      port = balancer.port
    }
    return { storeKind, url: `ws://localhost:${port}`, programs, store, cluster, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startStore(storeKind: StoreKind): Promise<Store | undefined> {
  if (storeKind === 'SQLite' || storeKind === 'Redis Cluster') return undefined
  return storeKind === 'Redis' ? startRedis() : startPostgres()
}

async function startRelayProgram(env: Record<string, string>): Promise<Program> {
  const port = await freePort()
  return startProgram({
    name: 'relay',
    args: [bin, 'serve', '--roles', 'relay'],
    port,
    env: {
      GATEFOLD_PORT: `${port}`,
      GATEFOLD_LOG_LEVEL: 'fatal',
      GATEFOLD_RPC_URLS: '{}',
      // High budgets, because all clients in these runs share one address and one project.
      GATEFOLD_RELAY_ADDRESS_MIB: '4096',
      GATEFOLD_RELAY_CAPACITY_MIB: '40960',
      GATEFOLD_RELAY_ADDRESS_HOURLY_MIB: '1000000',
      GATEFOLD_RELAY_HOURLY_MIB: '10000000',
      // As docs/relay-production.md recommends.
      NODE_OPTIONS: '--max-semi-space-size=32',
      MALLOC_MMAP_THRESHOLD_: '131072',
      ...env,
    },
    health: '/health',
  })
}
