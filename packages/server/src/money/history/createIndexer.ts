import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@gatefold/protocol'
import type { Kysely } from 'kysely'
import type { Log } from '../../log.ts'
import type { Chain } from '../../rpc/createChain.ts'
import type { Call } from '../../rpc/batch.ts'
import type { Database } from '../../storage/Database.ts'
import {
  countWatches,
  findBackfill,
  followNewWatches,
  forgetIdle,
  hasNewWatches,
  hasWatches,
  LeaseLostError,
  listBlocks,
  listFollowed,
  releaseLease,
  restartAt,
  rollBack,
  saveBackfill,
  saveBlocks,
  startBackfill,
  takeLease,
  trimHistory,
  type Backfill,
  type Found,
  type HistoryLease,
  type StoredBlock,
} from '../../storage/history.ts'
import type { ChainData } from '../chainData/ChainData.ts'
import type { HistoryMetrics } from './createHistoryMetrics.ts'
import { createPace } from './createPace.ts'
import {
  InconsistentBlocksError,
  readBlocks,
  readHead,
  readHeaders,
  type BlockFacts,
} from './readBlocks.ts'
import { toEntries } from './toEntries.ts'

/** How often the latest block is read. */
const pollMs = 1_000
/** How long another process waits before it takes over from one that was killed. */
const leaseMs = 6_000
/** How often the lease is extended; tolerates clocks that differ by seconds. */
const extendMs = 2_000
/** Longest pause after failures. */
const longestPauseMs = 60_000
/** Blocks that are read together; fewer if they have many transactions, or while the upstream is slow. */
const blocksAtOnce = 100
const firstBlocksAtOnce = 10
/** Number of transactions above which fewer blocks are read together. */
const transactionsAtOnce = 1_000
/** Time above which fewer blocks are read together, well below the timeout of an upstream. */
const slowMs = 1_000
/** How often idle addresses are looked up. */
const forgetEveryMs = 10 * 60_000
/**
 * Addresses that were requested within this time are not evicted, even if there
 * is no room for new ones.
 */
const busyMs = 24 * 60 * 60_000
/** Number of new entries of an address after which its oldest ones are deleted. */
const trimAfter = 100

export type Indexer = {
  /** Reads new blocks until {@link Indexer.stop} is called. */
  start(): void
  /** Makes the indexer look for new addresses now. */
  wake(): void
  /**
   * Reads the next blocks, and older ones for new addresses.
   *
   * @returns whether there may be more to read now.
   * @throws if the chain or the database cannot be read.
   */
  step(): Promise<boolean>
  /** Ends the current step, then releases the chain. */
  stop(): Promise<void>
}

type Services = {
  chain: Chain
  data: ChainData
  db: Kysely<Database>
  log: Log
  metrics: HistoryMetrics
  /** Unix time in ms. */
  now: () => number
  settings: { backfillBlocks: number; maxAddresses: number; callsPerSecond: number }
}

/**
 * Creates the indexer of a chain, which stores the history of the watched addresses.
 *
 * It follows the chain block by block, and reads a range of older blocks once
 * for all addresses that were added in the meantime. Blocks and their contents
 * are stored in one transaction, which fails if another process has taken over
 * the chain, so a process that is killed or replaced neither loses nor repeats
 * anything.
 *
 * @see docs/gateway.md#history, docs/adr/0020-own-indexer.md
 */
export function createIndexer(services: Services): Indexer {
  const { chain, data, db, log, metrics, now, settings } = services
  const { backfillBlocks, maxAddresses, callsPerSecond } = settings
  const owner = randomUUID()
  const labels = { chain: chain.id }
  const pace = createPace(callsPerSecond)
  let lease: HistoryLease | undefined
  /** The addresses for which new blocks are read. */
  let followed = new Set<string>()
  /** The highest stored block. */
  let tip: StoredBlock | undefined
  let backfill: Backfill | undefined
  let isBackfillKnown = false
  /** When the backfill continues after failures, Unix time in ms. */
  let backfillAt = 0
  let backfillFailures = 0
  let atOnce = firstBlocksAtOnce
  /** Maximum of `atOnce`. Falls after failures and slow reads, and rises slowly. */
  let most = blocksAtOnce
  let forgetAt = 0
  const untrimmed = new Map<string, number>()

  async function send(calls: Call[]): Promise<unknown[]> {
    await pace(calls.length)
    metrics.calls.inc(labels, calls.length)
    const replies = await chain.send(calls, { isRead: true })
    return replies.map((reply) => {
      if ('error' in reply) throw new HistoryReadError(chain.id, reply.error.message)
      return reply.result
    })
  }

  /** Takes or extends the lease, and loads the state if another process may have changed it. */
  async function hold(): Promise<HistoryLease | undefined> {
    const time = now()
    if (lease && lease.expiresAt - time > leaseMs - extendMs) return lease
    const next = { chain: chain.id, owner, expiresAt: time + leaseMs }
    if (!(await takeLease(db, next, time))) {
      lease = undefined
      return undefined
    }
    // Mutated instead of replaced, because a running step uses the object.
    if (lease) return Object.assign(lease, next)
    followed = new Set(await listFollowed(db, chain.id))
    tip = (await listBlocks(db, chain.id))[0]
    isBackfillKnown = false
    lease = next
    return lease
  }

  /** A step. Extends the lease while it waits for an upstream. */
  async function step(): Promise<boolean> {
    const extend = setInterval(() => {
      if (lease) hold().catch(() => {}) // the next write fails
    }, extendMs)
    try {
      return await readNext()
    } finally {
      clearInterval(extend)
    }
  }

  async function readNext(): Promise<boolean> {
    if (!lease && !(await hasWatches(db, [chain.id]))) return false
    const held = await hold()
    if (!held) return false
    await forget(held)
    const hasNew = await hasNewWatches(db, chain.id)
    if (!hasNew && followed.size === 0) return false
    const head = await readHead(send)
    if (!tip) {
      tip = { number: head.number, hash: head.hash }
      await restartAt(db, held, { block: tip, keepEntries: true })
    }
    if (hasNew) {
      for (const address of await followNewWatches(db, held, tip.number + 1)) followed.add(address)
      if (!backfill) isBackfillKnown = false
    }
    metrics.watched.set(labels, followed.size)
    metrics.head.set(labels, head.number)
    const isFollowing = head.hash !== tip.hash && (await follow(held, head))
    metrics.block.set(labels, tip.number)
    const isBackfilling = await tryToFillBack(held)
    return isFollowing || isBackfilling
  }

  /** Reads older blocks. While an upstream does not have them, new blocks are still read. */
  async function tryToFillBack(held: HistoryLease): Promise<boolean> {
    if (now() < backfillAt) return false
    try {
      const hasMore = await fillBack(held)
      backfillFailures = 0
      return hasMore
    } catch (error) {
      if (error instanceof LeaseLostError) throw error
      backfillFailures += 1
      const pauseMs = pauseAfter(backfillFailures)
      backfillAt = now() + pauseMs
      metrics.failures.inc(labels)
      log.warn({ chain: chain.id, err: error, pauseMs }, 'reading older blocks failed')
      return false
    }
  }

  /** Reads new blocks. @returns whether there may be more. */
  async function follow(held: HistoryLease, head: StoredBlock): Promise<boolean> {
    const known = tip!
    if (head.number <= known.number) return resolveFork(held)
    if (head.number - known.number > backfillBlocks) {
      log.warn({ chain: chain.id, from: known.number, to: head.number }, 'history skips blocks')
      await restart(held, head, true)
      return true
    }
    const to = Math.min(head.number, known.number + atOnce)
    const blocks = await read({ from: known.number + 1, to, addresses: followed })
    if (blocks[0]!.parentHash !== known.hash) {
      if (await resolveFork(held)) return true
      throw new InconsistentBlocksError(`block ${blocks[0]!.number} has another parent`)
    }
    const found = toEntries(blocks, { addresses: followed, contracts: data })
    await saveBlocks(db, held, {
      blocks: blocks.map(({ number, hash }) => ({ number, hash })),
      ...found,
    })
    const { number, hash } = blocks.at(-1)!
    tip = { number, hash }
    await trim(held, found)
    return number < head.number
  }

  /** Reads older blocks for addresses that are new. @returns whether there may be more. */
  async function fillBack(held: HistoryLease): Promise<boolean> {
    if (!isBackfillKnown) {
      backfill =
        (await findBackfill(db, chain.id)) ?? (await startBackfill(db, held, backfillBlocks))
      isBackfillKnown = true
    }
    if (!backfill) return false
    const { end, next } = backfill
    const addresses = new Set(backfill.addresses.filter((address) => followed.has(address)))
    const from = Math.max(end, next - atOnce + 1)
    const blocks = addresses.size > 0 ? await read({ from, to: next, addresses }) : []
    const known = new Map(
      blocks.length > 0
        ? (await listBlocks(db, chain.id)).map(({ number, hash }) => [number, hash])
        : [],
    )
    for (const { number, hash } of blocks)
      if ((known.get(number) ?? hash) !== hash)
        throw new InconsistentBlocksError(`block ${number} is not the one that was read before`)
    const found = toEntries(blocks, { addresses, contracts: data })
    const after = blocks.length > 0 ? from - 1 : end - 1
    await saveBackfill(db, held, { backfill, next: after, ...found })
    backfill = after < end ? undefined : { ...backfill, next: after }
    if (!backfill) isBackfillKnown = false
    await trim(held, found)
    return true
  }

  /** Reads blocks, and adapts how many are read together. */
  async function read(range: Parameters<typeof readBlocks>[1]): Promise<BlockFacts[]> {
    const start = performance.now()
    try {
      const blocks = await readBlocks(send, range)
      const transactions = blocks.reduce((sum, block) => sum + block.transactions.length, 0)
      const isMuch = transactions > transactionsAtOnce || performance.now() - start > slowMs
      most = isMuch ? halve(blocks.length) : Math.min(blocksAtOnce, most * 1.05)
      atOnce = Math.floor(Math.min(most, atOnce * 2))
      return blocks
    } catch (error) {
      const count = range.to - range.from + 1
      // If a single block fails, the number of blocks is not the cause.
      if (count > 1) atOnce = most = halve(count)
      throw error
    }
  }

  /**
   * Finds the last stored block that is still part of the chain, and deletes
   * everything above it.
   *
   * @returns false if all stored blocks are part of the chain, because then the
   *   upstream is behind or wrong.
   */
  async function resolveFork(held: HistoryLease): Promise<boolean> {
    const stored = await listBlocks(db, chain.id)
    const headers = await readHeaders(
      send,
      stored.map(({ number }) => number),
    )
    const lowestWrong = stored.findLastIndex(
      ({ hash }, index) => headers[index] && headers[index].hash !== hash,
    )
    if (lowestWrong === -1) return false
    const valid = stored.slice(lowestWrong + 1).find((_, index) => headers[lowestWrong + 1 + index])
    metrics.reorganizations.inc(labels)
    if (valid) {
      log.info({ chain: chain.id, from: tip!.number, to: valid.number }, 'history is rolled back')
      await rollBack(db, held, valid.number)
      tip = { number: valid.number, hash: valid.hash }
      return true
    }
    log.error(
      { chain: chain.id, from: tip!.number },
      'the chain was replaced; history is read again',
    )
    await restart(held, await readHead(send), false)
    return true
  }

  async function restart(held: HistoryLease, head: StoredBlock, keepEntries: boolean) {
    const block = { number: head.number, hash: head.hash }
    await restartAt(db, held, { block, keepEntries })
    tip = block
    backfill = undefined
    isBackfillKnown = false
  }

  /** Deletes the oldest entries of addresses that have many new entries. */
  async function trim(held: HistoryLease, { entries, assets }: Found) {
    for (const { address } of [...entries, ...assets])
      untrimmed.set(address, (untrimmed.get(address) ?? 0) + 1)
    const full = [...untrimmed].filter(([, count]) => count >= trimAfter)
    if (full.length === 0) return
    for (const [address] of full) untrimmed.delete(address)
    await trimHistory(
      db,
      held,
      full.map(([address]) => address),
    )
  }

  /**
   * Evicts addresses that were not requested for a long time, or earlier if
   * there is little room for new ones.
   */
  async function forget(held: HistoryLease) {
    if (now() < forgetAt) return
    forgetAt = now() + forgetEveryMs
    const idleSince = now() - limits.historyIdleDays * 86_400_000
    const forgotten: string[] = []
    const run = async (before: number, limit: number) => {
      const addresses = await forgetIdle(db, held, { before, limit })
      forgotten.push(...addresses)
      return addresses.length
    }
    while ((await run(idleSince, maxAddresses)) > 0);
    let extra = (await countWatches(db, chain.id)) - Math.floor(maxAddresses * 0.9)
    while (extra > 0) {
      const count = await run(now() - busyMs, extra)
      if (count === 0) break
      extra -= count
    }
    for (const address of forgotten) {
      followed.delete(address)
      untrimmed.delete(address)
    }
  }

  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let failures = 0
  let woken = Promise.withResolvers<void>()

  async function run() {
    while (!stopping.signal.aborted) {
      let pauseMs = 0
      try {
        pauseMs = (await step()) ? 0 : pollMs
        failures = 0
      } catch (error) {
        lease = undefined
        failures += 1
        pauseMs = pauseAfter(failures)
        if (!(error instanceof LeaseLostError)) {
          metrics.failures.inc(labels)
          log.warn({ chain: chain.id, err: error, pauseMs }, 'reading the history failed')
        }
      }
      const pause = wait(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(
        () => {}, // stopped
      )
      await (failures > 0 ? pause : Promise.race([pause, woken.promise]))
      woken = Promise.withResolvers()
    }
  }

  return {
    start: () => void (running ??= run()),
    wake: () => woken.resolve(),
    step,
    async stop() {
      stopping.abort()
      await running
      if (lease) await releaseLease(db, lease).catch(() => {}) // it expires
    },
  }
}

function pauseAfter(failures: number): number {
  return Math.min(longestPauseMs, 100 * 2 ** Math.min(failures, 20))
}

function halve(count: number): number {
  return Math.max(1, Math.floor(count / 2))
}

/** An upstream answered a call with an error. */
export class HistoryReadError extends Error {
  override name = 'HistoryReadError'
  constructor(chain: string, message: string) {
    super(`An upstream of ${chain} refused a call: ${message.slice(0, 200)}`)
  }
}
