import { BaseError } from '@gatefold/protocol'
import type { Log } from '../log.ts'
import type { RpcMetrics } from './createRpcMetrics.ts'
import {
  createUpstream,
  UpstreamError,
  type Call,
  type Reply,
  type Upstream,
} from './createUpstream.ts'

export type RpcTiming = {
  /** One try of one upstream. */
  tryMs: number
  /** A read that has waited this long is asked of the next upstream as well. */
  hedgeMs: number
  /** All tries together. */
  budgetMs: number
}

/** Official clients give up after 10 s; they are answered before. */
export const rpcTiming: RpcTiming = { tryMs: 2_500, hedgeMs: 1_000, budgetMs: 8_500 }

export type Chain = {
  /** CAIP-2 id. */
  id: string
  namespace: string
  /**
   * Asks the upstreams, the preferred one first, until one answers.
   *
   * @param options.isRead - may be asked of two upstreams at once when the first is slow.
   * @throws {ChainUnavailableError} when none answers within the time budget.
   */
  send(calls: Call[], options: { isRead: boolean }): Promise<Reply[]>
  /** Looks which chain every upstream really speaks for; one that lies is not asked again. */
  probe(): Promise<void>
  /** Upstreams that would be asked now, and all of them. */
  status(): { up: number; total: number }
}

/** A network and the upstreams that serve it, in order of preference. */
export function createChain(options: {
  id: string
  urls: string[]
  now: () => number
  log: Log
  metrics: RpcMetrics
  timing?: RpcTiming | undefined
}): Chain {
  const { id, urls, now, log, metrics } = options
  const { tryMs, hedgeMs, budgetMs } = options.timing ?? rpcTiming
  const [namespace = '', reference = ''] = id.split(':')
  const upstreams = urls.map((url) =>
    createUpstream({ url, now, keepsNumbers: namespace !== 'eip155' }),
  )
  const verifying = new Map<Upstream, Promise<void>>()

  function count(upstream: Upstream, outcome: string) {
    metrics.upstream.inc({ chain: id, host: upstream.host, outcome })
  }

  /** Asks an upstream for its chain id; not knowing leaves things as they were. */
  function verify(upstream: Upstream): Promise<void> {
    let running = verifying.get(upstream)
    if (!running) {
      running = askChain(upstream).finally(() => verifying.delete(upstream))
      verifying.set(upstream, running)
    }
    return running
  }

  async function askChain(upstream: Upstream) {
    const method = { eip155: 'eth_chainId', solana: 'getGenesisHash' }[namespace]
    if (!method) {
      upstream.isRightChain = true
      return
    }
    const [reply] = await upstream.send([{ method, params: [] }], AbortSignal.timeout(tryMs))
    if (!reply || !('result' in reply)) throw new UpstreamError('no_chain_id')
    const said = String(reply.result)
    const isRight =
      namespace === 'eip155' ? Number(said) === Number(reference) : said.startsWith(reference)
    if (!isRight && upstream.isRightChain !== false)
      log.error({ chain: id, host: upstream.host, said }, 'an upstream speaks for another chain')
    upstream.isRightChain = isRight
  }

  async function attempt(upstream: Upstream, calls: Call[], signal: AbortSignal): Promise<Reply[]> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(tryMs)])
    try {
      if (upstream.isRightChain === undefined) await verify(upstream)
      if (!upstream.isRightChain) throw new UpstreamError('wrong_chain')
      const replies = await upstream.send(calls, limited)
      upstream.breaker.succeeded()
      count(upstream, 'ok')
      return replies
    } catch (error) {
      // Another upstream was faster, or the time is up for all: no fault of this one.
      if (signal.aborted) upstream.breaker.ended()
      else {
        upstream.breaker.failed()
        const reason = error instanceof UpstreamError ? error.reason : 'fault'
        count(upstream, reason)
        log.warn({ chain: id, host: upstream.host, reason }, 'an upstream gave no answer')
      }
      throw error
    }
  }

  /** Upstreams to ask now. A lone one is asked twice: a cut connection is often only that. */
  function rotation(): Upstream[] {
    const able = upstreams.filter(
      ({ isRightChain, breaker }) => isRightChain !== false && breaker.allows(),
    )
    return able.length === 1 ? [able[0]!, able[0]!] : able
  }

  async function send(calls: Call[], { isRead }: { isRead: boolean }): Promise<Reply[]> {
    const queue = rotation()
    if (queue.length === 0) throw new ChainUnavailableError(id)
    const { promise, resolve, reject } = Promise.withResolvers<Reply[]>()
    const stop = new AbortController()
    let running = 0
    let hedge: NodeJS.Timeout | undefined
    const budget = setTimeout(() => reject(new ChainUnavailableError(id)), budgetMs)

    const next = () => {
      clearTimeout(hedge)
      const upstream = queue.shift()
      if (!upstream) {
        if (running === 0) reject(new ChainUnavailableError(id))
        return
      }
      running += 1
      attempt(upstream, calls, stop.signal).then(resolve, () => {
        running -= 1
        if (!stop.signal.aborted) next()
      })
      const isOther = queue[0] !== undefined && queue[0] !== upstream
      if (isRead && isOther) hedge = setTimeout(next, hedgeMs)
    }

    next()
    try {
      return await promise
    } finally {
      clearTimeout(budget)
      clearTimeout(hedge)
      stop.abort()
      // What was taken for a trial and not asked is free again.
      for (const upstream of queue) upstream.breaker.ended()
    }
  }

  return {
    id,
    namespace,
    send,
    async probe() {
      await Promise.allSettled(upstreams.map(verify))
    },
    status: () => ({
      up: upstreams.filter(
        ({ isRightChain, breaker }) => isRightChain === true && !breaker.isOpen(),
      ).length,
      total: upstreams.length,
    }),
  }
}

/** No upstream of a network answered in time. */
export class ChainUnavailableError extends BaseError {
  override name = 'ChainUnavailableError'
  constructor(chainId: string) {
    super(`No upstream for ${chainId} answered.`, {
      code: 'rpc.unavailable',
      docsPath: 'docs/gateway.md',
    })
  }
}
