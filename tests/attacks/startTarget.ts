import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startUpstream } from '../../packages/server/src/testing/startUpstream.ts'
import { startPostgres } from '../faults/startPostgres.ts'
import type { StoreKind } from '../faults/startRelays.ts'
import { freePort, startProgram } from '../program.ts'
import { startRedis } from '../redis.ts'

const bin = fileURLToPath(new URL('../../packages/server/src/bin.ts', import.meta.url))
const heapReporter = fileURLToPath(new URL('./reportHeap.ts', import.meta.url))

/** A server that runs all roles in one process, and trusts one proxy. */
export type Target = Awaited<ReturnType<typeof startTarget>>

/** The chain that the server proxies. */
export const chainId = 'eip155:1'
/** The token for `/metrics`. */
export const metricsToken = 'metrics-token-of-the-attacks'

/**
 * Starts the server with every role, as in production, with an empty store and an upstream that responds
 * immediately. The server trusts `X-Forwarded-For`, so clients can choose their address.
 */
export async function startTarget(storeKind: StoreKind, env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatefold-attacks-'))
  const undo: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })]
  const stop = async () => {
    for (let last = undo.pop(); last; last = undo.pop()) await last()
  }
  try {
    const upstream = await startUpstream({})
    undo.push(() => upstream.stop())
    const store = await startStore(storeKind)
    if (store) undo.push(() => store.stop())
    const port = await freePort()
    const program = await startProgram({
      name: 'server',
      args: ['--expose-gc', `--import=${heapReporter}`, bin, 'serve'],
      port,
      env: {
        GATEFOLD_DATA_DIR: dataDir,
        GATEFOLD_PORT: `${port}`,
        GATEFOLD_LOG_LEVEL: 'error',
        GATEFOLD_RPC_URLS: JSON.stringify({ [chainId]: [upstream.url] }),
        GATEFOLD_TRUSTED_PROXIES: '1',
        GATEFOLD_METRICS_TOKEN: metricsToken,
        // As docs/relay-production.md recommends.
        NODE_OPTIONS: '--max-semi-space-size=32',
        MALLOC_MMAP_THRESHOLD_: '131072',
        ...(storeKind === 'PostgreSQL' && { DATABASE_URL: store!.url }),
        ...(storeKind === 'Redis' && { REDIS_URL: store!.url }),
        ...env,
      },
      health: '/health',
    })
    undo.push(() => program.stop())
    return { storeKind, program, port, url: program.url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startStore(storeKind: StoreKind) {
  if (storeKind === 'SQLite') return undefined
  return storeKind === 'Redis' ? startRedis() : startPostgres()
}

/** Resident memory of a process in MB. Linux only: reads procfs. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
