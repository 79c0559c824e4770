import { limits } from '@gatefold/protocol'
import {
  accountKey,
  createSharedAccounts,
  type SharedAccounts,
} from './accounts/createSharedAccounts.ts'
import { shareTokenBuckets } from './accounts/shareTokenBuckets.ts'
import type { Config } from './config.ts'
import { createMemoryBudgets, type MemoryBudgets } from './http/createMemoryBudgets.ts'
import { createMetrics, type Metrics } from './http/createMetrics.ts'
import { createTokenBuckets, type TokenBuckets } from './http/createTokenBuckets.ts'
import { createTurns, type Turns } from './http/createTurns.ts'
import { createLog, type Log } from './log.ts'
import { createMailer, type Mailer } from './mail/createMailer.ts'
import type { Redis } from './redis/openRedis.ts'
import type { FrameTiming } from './frame/timing.ts'
import type { RelayTiming } from './relay/timing.ts'
import type { RpcTiming } from './rpc/createChain.ts'
import { createChains, type Chains } from './rpc/createChains.ts'
import { createRpcMetrics } from './rpc/createRpcMetrics.ts'
import { openStorage, type Storage } from './storage/openStorage.ts'
import { createProjectCache, type ProjectCache } from './storage/projectCache.ts'
import { ensureDefaultProject, findProject } from './storage/projects.ts'
import { readRelayKey, watchBurst, watchesPerHour } from './storage/relayWatches.ts'

/**
 * Services that the roles share, created once when a server starts. Each role
 * declares the services that it uses.
 */
export type Context = {
  config: Config
  /** Unix time in ms. */
  now: () => number
  log: Log
  metrics: Metrics
  storage: Storage
  /** The Redis that all processes share; `undefined` if none is configured. */
  redis: Redis | undefined
  projects: ProjectCache
  chains: Chains
  /** The bundlers of ERC-4337, by chain. */
  bundlers: Chains
  /**
   * Rate limits of requests by address and by project; of registered names, new client ids, new subscriptions and
   * watches by address; and of the bytes of stored events by address and by project.
   */
  limits: Record<
    | 'address'
    | 'project'
    | 'names'
    | 'clients'
    | 'topics'
    | 'watches'
    | 'addressEvents'
    | 'projectEvents',
    TokenBuckets
  >
  /** Accounts for limits that several processes share; `undefined` without Redis. */
  sharedAccounts: SharedAccounts | undefined
  mailer: Mailer
  memory: MemoryBudgets
  turns: Turns
  /** Shorter waits for tests. */
  relayTiming?: RelayTiming | undefined
  frameTiming?: Partial<FrameTiming> | undefined
}

export type ContextOptions = Partial<
  Pick<Context, 'frameTiming' | 'log' | 'now' | 'relayTiming'>
> & {
  /** Shorter waits for tests. */
  rpcTiming?: RpcTiming | undefined
}

/**
 * Opens the database and Redis, and creates the services that the roles share.
 *
 * @param options.now - a clock for tests.
 * @throws {StorageError} if the database cannot be used.
 * @throws {RedisUnavailableError} if Redis is configured but cannot be used.
 */
export async function createContext(
  config: Config,
  options: ContextOptions = {},
): Promise<Context> {
  const {
    log = createLog(config.logLevel),
    now = Date.now,
    frameTiming,
    relayTiming,
    rpcTiming,
  } = options
  const storage = await openStorage(config)
  const { db } = storage
  await ensureDefaultProject(db, now())
  const redis = await openConfiguredRedis(config, log).catch(async (error: unknown) => {
    await storage.close()
    throw error
  })
  const sharedAccounts = redis && createSharedAccounts({ redis, now })
  const secret = sharedAccounts ? (await readRelayKey(db)).privateKey : ''
  function createBuckets(kind: string, perSecond: number, burst: number): TokenBuckets {
    const buckets = createTokenBuckets({ perSecond, burst, now })
    if (!sharedAccounts) return buckets
    const keyOf = (key: string) => accountKey(secret, `${kind}:`, key)
    return shareTokenBuckets(buckets, { accounts: sharedAccounts, keyOf, perSecond, burst })
  }
  const createHourlyBytes = (kind: string, mib: number) =>
    createBuckets(kind, (mib * 1024 * 1024) / 3600, mib * 1024 * 1024)
  const metrics = createMetrics()
  const upstreams = {
    now,
    log,
    metrics: createRpcMetrics(metrics.registry),
    timing: rpcTiming,
  }
  return {
    config,
    now,
    log,
    metrics,
    storage,
    redis,
    projects: createProjectCache({ find: (id) => findProject(db, id), now }),
    chains: createChains({ rpcUrls: config.rpcUrls, ...upstreams }),
    bundlers: createChains({
      rpcUrls: config.bundlerUrls,
      methods: config.bundlerSponsors ? 'bundler with paymaster' : 'bundler',
      ...upstreams,
    }),
    limits: {
      address: createBuckets('address', config.ipRate, config.ipBurst),
      project: createBuckets('project', config.projectRate, config.projectBurst),
      names: createBuckets('names', limits.namesPerHour / 3600, limits.nameBurst),
      clients: createBuckets(
        'clients',
        config.relayAddressClients / 3600,
        config.relayAddressClients,
      ),
      topics: createBuckets('topics', config.relayAddressTopics / 3600, config.relayAddressTopics),
      watches: createBuckets('watches', watchesPerHour / 3600, watchBurst),
      addressEvents: createHourlyBytes('address events', config.analyticsAddressHourlyMib),
      projectEvents: createHourlyBytes('project events', config.analyticsHourlyMib),
    },
    sharedAccounts,
    mailer: createMailer(config, { log, now }),
    memory: createMemoryBudgets(),
    turns: createTurns(),
    relayTiming,
    frameTiming,
  }
}

/** Loads the Redis client only if Redis is configured, so that a server without Redis starts faster. */
async function openConfiguredRedis(config: Config, log: Log): Promise<Redis | undefined> {
  const { redisReplicas: replicas, redisUrls: urls } = config
  if (!urls) return undefined
  const { openRedis } = await import('./redis/openRedis.ts')
  return openRedis({ urls, replicas, onRisk: (what) => log.warn(what) })
}
