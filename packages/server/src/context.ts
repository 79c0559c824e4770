import type { Config } from './config.ts'
import { createDirectory, readDirectory, type Directory } from './gateway/directory.ts'
import { readImages, type Images } from './gateway/images.ts'
import { createLog, type Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createChain, type Chain, type RpcTiming } from './rpc/createChain.ts'
import { createProjectCache, type ProjectCache } from './storage/projectCache.ts'
import { ensureDefaultProject, findProject } from './storage/projects.ts'
import { openStorage, type Storage } from './storage/openStorage.ts'
import { createTokenBuckets, type TokenBuckets } from './tokenBuckets.ts'

/** What handlers need, made once when a server starts. */
export type Context = {
  config: Config
  /** Unix time in ms. */
  now: () => number
  log: Log
  metrics: Metrics
  storage: Storage
  projects: ProjectCache
  directory: Directory
  images: Images
  /** By CAIP-2 id. */
  chains: ReadonlyMap<string, Chain>
  limits: Record<'address' | 'project', TokenBuckets>
}

export type ContextOptions = { log?: Log; now?: () => number; rpcTiming?: RpcTiming }

/**
 * Opens the database and reads the data that comes with the server.
 *
 * @param options.now - a clock for tests.
 * @param options.rpcTiming - shorter waits for tests.
 * @throws {StorageError} when the database cannot be used.
 */
export async function createContext(
  config: Config,
  options: ContextOptions = {},
): Promise<Context> {
  const { log = createLog(config.logLevel), now = Date.now } = options
  const metrics = createMetrics()
  const storage = await openStorage(config)
  const { db } = storage
  await ensureDefaultProject(db, now())
  const ids = Object.keys(config.rpcUrls)
  const file = readDirectory()
  return {
    config,
    now,
    log,
    metrics,
    storage,
    projects: createProjectCache({ find: (id) => findProject(db, id), now }),
    directory: createDirectory({ file, chains: ids }),
    images: readImages(file),
    chains: new Map(
      ids.map((id) => [
        id,
        createChain({
          id,
          urls: config.rpcUrls[id]!,
          now,
          log,
          metrics,
          timing: options.rpcTiming,
        }),
      ]),
    ),
    limits: {
      address: createTokenBuckets({ perSecond: config.ipRate, burst: config.ipBurst, now }),
      project: createTokenBuckets({
        perSecond: config.projectRate,
        burst: config.projectBurst,
        now,
      }),
    },
  }
}
