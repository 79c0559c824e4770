import { randomBytes } from 'node:crypto'
import { createSteadyClient, type SteadyClient } from './createSteadyClient.ts'

/** Length of a typical encrypted message, in characters. */
const messageLength = 500

export type Tally = {
  published: number
  acknowledged: number
  delivered: number
  /** Acknowledged but never delivered. */
  lost: number
  /** Delivered for the first time after a later message on the same topic. */
  outOfOrder: number
  /** Delivered again; clients drop these as duplicates. */
  duplicates: number
  /**
   * Duplicates on the same socket, or with another `seq`. Allowed only after a failover of a
   * cluster.
   */
  invalidDuplicates: number
  /** Publishes that were answered with an error. */
  errors: number
  /** Longest time from a fault until all clients have reconnected, in ms. */
  slowestReconnectMs: number
  /** Times from publish to first delivery, in ms. */
  latenciesMs: number[]
}

export type Traffic = ReturnType<typeof createTraffic>

type Pair = {
  topic: string
  app: SteadyClient
  wallet: SteadyClient
  sent: number
  acknowledged: Set<number>
  /** By message number: the relay's `seq`, and the socket that received it. */
  seen: Map<number, { seq: number; socketNumber: number; at: number }>
  highest: number
}

/**
 * Creates pairs of clients. In each pair, one client publishes to the other at a steady rate. Counts
 * the outcomes of all messages.
 *
 * @param options.perSecond - rate of all pairs together
 * @param options.addresses - the network addresses of the app and the wallet of each pair, for a server with a trusted
 * proxy; all clients have the same address by default
 */
export function createTraffic(options: {
  url: string
  pairs: number
  perSecond: number
  addresses?: readonly { app: string; wallet: string }[]
}) {
  const { url, pairs: count, perSecond, addresses } = options
  const tally: Tally = {
    published: 0,
    acknowledged: 0,
    delivered: 0,
    lost: 0,
    outOfOrder: 0,
    duplicates: 0,
    invalidDuplicates: 0,
    errors: 0,
    slowestReconnectMs: 0,
    latenciesMs: [],
  }
  const padding = 'x'.repeat(messageLength)
  /** Time of the last fault; reconnects are measured from this time. */
  let faultAt: number | undefined
  const pairs: Pair[] = []
  for (let index = 0; index < count; index += 1) pairs.push(createPair(addresses?.[index]))

  function createPair(address?: { app: string; wallet: string }): Pair {
    const topic = randomBytes(32).toString('hex')
    const shared = { url, onReady: noteReady }
    const pair: Pair = {
      topic,
      app: createSteadyClient({ ...shared, address: address?.app }),
      wallet: createSteadyClient({
        ...shared,
        address: address?.wallet,
        topics: [topic],
        onPush: ({ id, params }, socketNumber) =>
          deliver(pair, { seq: id, text: params.data.message, socketNumber }),
      }),
      sent: 0,
      acknowledged: new Set(),
      seen: new Map(),
      highest: 0,
    }
    return pair
  }

  function noteReady() {
    if (faultAt === undefined) return
    tally.slowestReconnectMs = Math.max(tally.slowestReconnectMs, performance.now() - faultAt)
  }

  function publish(pair: Pair) {
    const number = (pair.sent += 1)
    tally.published += 1
    pair.app.publish(pair.topic, `${number} ${performance.now()} ${padding}`).then(
      () => {
        tally.acknowledged += 1
        pair.acknowledged.add(number)
      },
      () => (tally.errors += 1),
    )
  }

  function deliver(pair: Pair, push: { seq: number; text: string; socketNumber: number }) {
    const [number = 0, publishedAt = 0] = push.text.split(' ', 2).map(Number)
    const before = pair.seen.get(number)
    if (before) {
      tally.duplicates += 1
      if (before.seq !== push.seq || before.socketNumber === push.socketNumber)
        tally.invalidDuplicates += 1
      pair.seen.set(number, { ...before, socketNumber: push.socketNumber })
      return
    }
    tally.delivered += 1
    if (number < pair.highest) tally.outOfOrder += 1
    pair.highest = Math.max(pair.highest, number)
    pair.seen.set(number, { seq: push.seq, socketNumber: push.socketNumber, at: publishedAt })
    tally.latenciesMs.push(performance.now() - publishedAt)
  }

  let turn = 0
  let due = 0
  let lastTick = 0
  let ticker: NodeJS.Timeout | undefined
  function tick() {
    const now = performance.now()
    // Capped, so that no burst follows when the machine has stalled.
    due = Math.min(due + ((now - lastTick) / 1000) * perSecond, perSecond)
    lastTick = now
    for (; due >= 1; due -= 1) publish(pairs[(turn = (turn + 1) % pairs.length)]!)
  }

  return {
    tally,
    get isReady() {
      return pairs.every(({ app, wallet }) => app.isReady && wallet.isReady)
    },
    /** How long the oldest unanswered publish has waited, in ms. */
    get oldestPendingMs() {
      return Math.max(...pairs.map(({ app }) => app.oldestPendingMs))
    },
    get isSettled() {
      return pairs.every(
        ({ app, seen, acknowledged }) => app.pendingCount === 0 && seen.size >= acknowledged.size,
      )
    },
    run() {
      lastTick = performance.now()
      ticker = setInterval(tick, 10)
    },
    pause() {
      clearInterval(ticker)
    },
    /**
     * Records the time of a fault, from which reconnects are measured. Call it just before the
     * fault.
     */
    markFault() {
      faultAt = performance.now()
    },
    /** Counts missing messages; call once deliveries have settled or timed out. */
    finish(): Tally {
      for (const { acknowledged, seen } of pairs)
        for (const number of acknowledged) if (!seen.has(number)) tally.lost += 1
      return tally
    },
    close() {
      clearInterval(ticker)
      for (const { app, wallet } of pairs) {
        app.close()
        wallet.close()
      }
    },
  }
}

/** @param share - 0.99 for the 99th percentile @returns 0 if there are no values */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
