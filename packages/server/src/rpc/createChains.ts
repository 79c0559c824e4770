import type { Context } from '../context.ts'
import type { RoleHealth } from '../http/Role.ts'
import { runEvery } from '../runEvery.ts'
import { createChain, type Chain, type RpcTiming } from './createChain.ts'
import { createRpcMetrics } from './createRpcMetrics.ts'

const probeEveryMs = 60_000

/** The configured chains, which the roles of a process share. */
export type Chains = {
  /** By CAIP-2 id. */
  byId: ReadonlyMap<string, Chain>
  /** How many upstreams of each chain get calls. */
  health(): RoleHealth
  /**
   * Checks the upstreams now and every minute, until every caller has called the returned function. Several callers
   * share one job.
   */
  keepProbing(): () => void
}

/** Creates a chain for each CAIP-2 id in `config.rpcUrls`. */
export function createChains(
  options: Pick<Context, 'log' | 'metrics' | 'now'> & {
    config: Pick<Context['config'], 'rpcUrls'>
    timing: RpcTiming | undefined
  },
): Chains {
  const { config, log, now, timing } = options
  const metrics = createRpcMetrics(options.metrics.registry)
  const byId = new Map(
    Object.entries(config.rpcUrls).map(([id, urls]) => [
      id,
      createChain({ id, urls, now, log, metrics, timing }),
    ]),
  )
  const callers = new Set<symbol>()
  let stop: (() => void) | undefined
  return {
    byId,
    health: () => ({
      isUp: true,
      body: { rpc: Object.fromEntries([...byId].map(([id, chain]) => [id, chain.status()])) },
    }),
    keepProbing() {
      const caller = Symbol('caller')
      callers.add(caller)
      stop ??= runEvery(probeEveryMs, () =>
        Promise.all([...byId.values()].map((chain) => chain.probe())),
      )
      return () => {
        callers.delete(caller)
        if (callers.size > 0) return
        stop?.()
        stop = undefined
      }
    },
  }
}
