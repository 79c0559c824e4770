import { BaseError, CaipNetworkId } from '@gatefold/protocol'
import type { Log } from '../log.ts'
import { callsOf, toBatch, type Batch, type Call } from './batch.ts'
import { isExpensive } from './methods.ts'
import type { RpcMetrics } from './createRpcMetrics.ts'
import { createUpstream, type Reply, type SendOptions, type Upstream } from './createUpstream.ts'
import type { Meter } from './createPost.ts'
import { UpstreamError } from './UpstreamError.ts'

export type RpcTiming = {
  /** Timeout of one attempt at one upstream. */
  tryMs: number
  /** A read that takes longer is also sent to the next upstream. */
  hedgeMs: number
  /** Timeout of all attempts together. */
  budgetMs: number
}

/** `budgetMs` is below the 10 s after which official clients abort. */
export const rpcTiming: RpcTiming = { tryMs: 2_500, hedgeMs: 1_000, budgetMs: 8_500 }

/** Maximum number of blocks (slots on Solana) that an upstream may be behind the others. */
export const maxBlocksBehind = 100

export type Chain = {
  /** CAIP-2 id. */
  id: string
  namespace: string
  /** The table of methods that are forwarded. */
  methods: string
  /**
   * Sends calls to the upstreams in order of preference until one responds.
   *
   * @param options.isRead - whether a second upstream may also get the calls if the first one is slow.
   * @param options.meter - accounts for large responses.
   * @throws {ChainUnavailableError} if none responds within the time budget.
   */
  send(calls: Call[], options: { isRead: boolean; meter?: Meter | undefined }): Promise<Reply[]>
  /**
   * Sends the reads of a client in the same way.
   *
   * @returns the upstream's JSON text, if it is exactly what a client gets for the replies.
   * @throws {ChainUnavailableError} as `send`.
   */
  forward(batch: Batch, options?: { meter?: Meter | undefined }): Promise<Reply[] | string>
  /**
   * Checks the chain id and latest block of every upstream. An upstream on another chain or far behind gets
   * no calls.
   */
  probe(): Promise<void>
  /** The number of upstreams that currently get calls, and of all upstreams. */
  status(): { up: number; total: number }
}

/** A request to an upstream that has not ended. */
type Attempt = {
  controller: AbortController
  /** Whether it was aborted because its reply is no longer needed. */
  isStopped: boolean
}

/** Calls, and how an upstream gets them. */
type Job<Replies> = {
  batch: Batch
  send: (upstream: Upstream, signal: AbortSignal, options: SendOptions) => Promise<Replies>
  meter: Meter | undefined
}

/** Creates a chain. `urls` are its upstreams, in order of preference. */
export function createChain(options: {
  id: string
  urls: string[]
  /** By default, those of the namespace. */
  methods?: string | undefined
  now: () => number
  log: Log
  metrics: RpcMetrics
  timing?: RpcTiming | undefined
}): Chain {
  const { id, urls, now, log, metrics } = options
  const { tryMs, hedgeMs, budgetMs } = options.timing ?? rpcTiming
  const { namespace = '', reference = '' } = CaipNetworkId.split(id) ?? {}
  const upstreams = urls.map((url) =>
    createUpstream({ url, now, keepsNumbers: namespace !== 'eip155' }),
  )
  const health = healthCheckOf(options.methods ?? namespace)
  const verifying = new Map<Upstream, Promise<void>>()
  const checking = new Map<Upstream, Promise<void>>()
  // Cached, because a lookup by labels for every request would cost several times more.
  const successes = new Map(
    upstreams.map((upstream) => [
      upstream,
      metrics.upstream.labels({ chain: id, host: upstream.host, outcome: 'ok' }),
    ]),
  )

  /** Checks the chain id of an upstream. Concurrent calls share one check. If it fails, the previous result is kept. */
  function verify(upstream: Upstream): Promise<void> {
    return shareRun(verifying, upstream, () => checkChain(upstream))
  }

  /**
   * Sends a cheap call of this server to an upstream, which closes or opens its breaker. Concurrent calls share one
   * check.
   */
  function check(upstream: Upstream): Promise<void> {
    return shareRun(checking, upstream, async () => {
      try {
        await upstream.send(toBatch([health]), AbortSignal.timeout(tryMs))
        upstream.breaker.succeeded()
      } catch (error) {
        upstream.breaker.open()
        throw error
      }
    })
  }

  async function checkChain(upstream: Upstream) {
    const method = { eip155: 'eth_chainId', solana: 'getGenesisHash' }[namespace]
    if (!method) {
      upstream.isRightChain = true
      return
    }
    const [reply] = await upstream.send(toBatch([{ method }]), AbortSignal.timeout(tryMs))
    if (!reply || !('result' in reply)) throw new UpstreamError('no_chain_id')
    const actual = String(reply.result)
    const isRight =
      namespace === 'eip155' ? Number(actual) === Number(reference) : actual.startsWith(reference)
    if (!isRight && upstream.isRightChain !== false)
      log.error({ chain: id, host: upstream.host, actual }, 'an upstream serves another chain')
    upstream.isRightChain = isRight
  }

  async function attempt<Replies>(
    upstream: Upstream,
    { batch, send, meter }: Job<Replies>,
    running: Attempt,
  ): Promise<Replies> {
    // Cheaper than `AbortSignal.timeout` and `AbortSignal.any`, which would take a tenth of the time of a short call.
    const timer = setTimeout(() => running.controller.abort(), tryMs)
    try {
      if (upstream.isRightChain === undefined) await verify(upstream)
      if (!upstream.isRightChain) throw new UpstreamError('wrong_chain')
      if (upstream.breaker.state() !== 'closed') await check(upstream)
      // A batch that is sent in parts has this time for each of them.
      const onProgress = () => timer.refresh()
      const replies = await send(upstream, running.controller.signal, { onProgress, meter })
      upstream.breaker.succeeded()
      successes.get(upstream)!.inc()
      return replies
    } catch (error) {
      // Stopped because another upstream was faster or the budget ran out: not a failure.
      if (!running.isStopped) {
        const reason = error instanceof UpstreamError ? error.reason : 'fault'
        if (!isCausedByCalls(error, batch) && upstream.breaker.failed())
          check(upstream).catch(() => {})
        metrics.upstream.inc({ chain: id, host: upstream.host, outcome: reason })
        log.warn({ chain: id, host: upstream.host, reason }, 'a request to an upstream failed')
      }
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Compares the latest blocks of the upstreams. An upstream that is far behind the others gets no calls
   * until a later probe finds that it has caught up.
   */
  async function checkHeads() {
    const method = { eip155: 'eth_blockNumber', solana: 'getSlot' }[namespace]
    if (!method || upstreams.length < 2) return
    const heads = await Promise.all(
      upstreams.map(async (upstream) => {
        if (!upstream.isRightChain) return undefined
        const [reply] = await upstream
          .send(toBatch([{ method }]), AbortSignal.timeout(tryMs))
          .catch(() => [])
        const head = reply && 'result' in reply ? Number(reply.result) : Number.NaN
        return Number.isSafeInteger(head) ? head : undefined
      }),
    )
    // With three or more upstreams, a single one that claims a much later block must not exclude the others.
    const sorted = heads.filter((head) => head !== undefined).toSorted((a, b) => b - a)
    const reference = sorted.length > 2 ? sorted[1]! : (sorted[0] ?? 0)
    for (const [index, upstream] of upstreams.entries()) {
      const head = heads[index]
      if (head === undefined) continue
      const isStale = head < reference - maxBlocksBehind
      if (isStale && !upstream.isStale)
        log.error({ chain: id, host: upstream.host, head, reference }, 'an upstream is stale')
      upstream.isStale = isStale
    }
  }

  /**
   * Upstreams to try now. A single one is tried twice, because a broken connection is often transient. Those that are
   * due for a check are checked now, and tried last.
   */
  function rotation(): Upstream[] {
    const able = upstreams.filter(({ isRightChain, isStale }) => isRightChain !== false && !isStale)
    const closed = able.filter(({ breaker }) => breaker.state() === 'closed')
    const due = able.filter(({ breaker }) => breaker.state() === 'due')
    for (const upstream of due) check(upstream).catch(() => {})
    return closed.length === 1 && due.length === 0 ? [...closed, ...closed] : [...closed, ...due]
  }

  async function run<Replies>(job: Job<Replies>, { isRead }: { isRead: boolean }) {
    const queue = rotation()
    const { promise, resolve, reject } = Promise.withResolvers<Replies>()
    const running = new Set<Attempt>()
    let isDone = false
    let hedge: NodeJS.Timeout | undefined
    const budget = setTimeout(() => reject(new ChainUnavailableError(id)), budgetMs)

    const next = () => {
      clearTimeout(hedge)
      const upstream = queue.shift()
      if (!upstream) {
        if (running.size === 0) reject(new ChainUnavailableError(id))
        return
      }
      const one: Attempt = { controller: new AbortController(), isStopped: false }
      running.add(one)
      attempt(upstream, job, one).then(
        (replies) => {
          running.delete(one)
          resolve(replies)
        },
        (error: unknown) => {
          running.delete(one)
          // A response of another upstream would have no room either.
          if (error instanceof UpstreamError && error.reason === 'no_room')
            reject(new ChainUnavailableError(id, 'Too many large responses at the same time.'))
          else if (!isDone) next()
        },
      )
      const isOther = queue[0] !== undefined && queue[0] !== upstream
      if (isRead && isOther) hedge = setTimeout(next, hedgeMs)
    }

    next()
    try {
      return await promise
    } finally {
      isDone = true
      clearTimeout(budget)
      clearTimeout(hedge)
      for (const one of running) {
        one.isStopped = true
        one.controller.abort()
      }
    }
  }

  return {
    id,
    namespace,
    methods: options.methods ?? namespace,
    send(calls, { isRead, meter }) {
      const batch = toBatch(calls)
      const send: Job<Reply[]>['send'] = (upstream, ...rest) => upstream.send(batch, ...rest)
      return run({ batch, send, meter }, { isRead })
    },
    forward(batch, { meter } = {}) {
      const send: Job<Reply[] | string>['send'] = (upstream, ...rest) =>
        upstream.forward(batch, ...rest)
      return run({ batch, send, meter }, { isRead: true })
    },
    async probe() {
      await Promise.allSettled(upstreams.map(verify))
      const due = upstreams.filter(({ breaker }) => breaker.state() === 'due')
      await Promise.allSettled(due.map(check))
      await checkHeads()
    },
    status: () => ({
      up: upstreams.filter(
        ({ isRightChain, isStale, breaker }) =>
          isRightChain === true && !isStale && breaker.state() === 'closed',
      ).length,
      total: upstreams.length,
    }),
  }
}

/** Returns the promise of a running function, or runs it. */
function shareRun(
  running: Map<Upstream, Promise<void>>,
  upstream: Upstream,
  run: () => Promise<void>,
): Promise<void> {
  let promise = running.get(upstream)
  if (!promise) {
    promise = run().finally(() => running.delete(upstream))
    running.set(upstream, promise)
  }
  return promise
}

/** A cheap call that shows whether an upstream works. Reads the state, because a proxy may know the chain id itself. */
function healthCheckOf(methods: string): Call {
  if (methods === 'eip155')
    return { method: 'eth_getBalance', params: [`0x${'0'.repeat(40)}`, 'latest'] }
  if (methods === 'solana') return { method: 'getBalance', params: ['1'.repeat(32)] }
  if (methods.startsWith('bundler')) return { method: 'eth_supportedEntryPoints' }
  // An unknown method has a response too.
  return { method: 'getblockcount' }
}

/**
 * Whether the calls caused a failure, through their size or form, or because they need too much work. Also true for
 * errors in this server, so that they do not count against the upstream.
 */
function isCausedByCalls(error: unknown, batch: Batch): boolean {
  if (!(error instanceof UpstreamError)) return true
  if (error.isRequestFault) return true
  return error.reason === 'timeout' && callsOf(batch).some(isExpensive)
}

/** No upstream of a chain responded in time, or the server has no memory for the response. */
export class ChainUnavailableError extends BaseError {
  override name = 'ChainUnavailableError'
  constructor(chainId: string, message = `No upstream for ${chainId} responded.`) {
    super(message, {
      code: 'rpc.unavailable',
      docsPath: 'docs/gateway.md',
    })
  }
}
