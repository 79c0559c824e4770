import type { Log } from '../log.ts'
import { runEvery } from '../runEvery.ts'
import { createChain, type Chain, type RpcTiming } from './createChain.ts'
import type { RpcMetrics } from './createRpcMetrics.ts'

const probeEveryMs = 60_000

/** The configured chains, which the roles of a process share. */
export type Chains = {
  /** By CAIP-2 id. */
  byId: ReadonlyMap<string, Chain>
  /** For each chain, the number of upstreams that currently get calls, and of all upstreams. */
  status: () => Record<string, { up: number; total: number }>
  /**
   * Checks the upstreams now and every minute, until every caller has called the returned function. Several callers
   * share one job.
   */
  keepProbing: () => () => void
}

/** Creates a chain for each CAIP-2 id in `rpcUrls`. */
export function createChains(options: {
  rpcUrls: Readonly<Record<string, string[]>>
  /** The table of methods that are forwarded; by default, that of each chain's namespace. */
  methods?: string
  now: () => number
  log: Log
  metrics: RpcMetrics
  timing: RpcTiming | undefined
}): Chains {
  const { rpcUrls, ...shared } = options
  const byId = new Map(
    Object.entries(rpcUrls).map(([id, urls]) => [id, createChain({ id, urls, ...shared })]),
  )
  const callers = new Set<symbol>()
  let stop: (() => void) | undefined
  return {
    byId,
    status: () => Object.fromEntries([...byId].map(([id, chain]) => [id, chain.status()])),
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
