import { randomBytes } from 'node:crypto'
import { createSteadyClient, type SteadyClient } from './createSteadyClient.ts'

/** Text of a usual envelope is about this long. */
const messageLength = 500

export type Tally = {
  published: number
  acknowledged: number
  delivered: number
  /** Acknowledged and never delivered. */
  lost: number
  /** Delivered for the first time after a later one of the same topic. */
  outOfOrder: number
  /** Delivered again; clients drop these as duplicates. */
  duplicates: number
  /** Those that came again on the very socket that had them, or with another number: never right. */
  needless: number
  /** Publishes that were answered with an error. */
  errors: number
  /** From an event to the last client that was back, in ms. */
  slowestBackMs: number
  /** Publish to deliver, ms, of messages delivered at the first attempt. */
  latenciesMs: number[]
}

export type Traffic = ReturnType<typeof createTraffic>

type Pair = {
  topic: string
  app: SteadyClient
  wallet: SteadyClient
  sent: number
  acknowledged: Set<number>
  /** Number of the message to the relay's number, and the socket that had it. */
  seen: Map<number, { seq: number; socketNumber: number; at: number }>
  highest: number
}

/**
 * Pairs of clients, one publishing to the other at a steady rate, and a ledger of what became of
 * every message.
 *
 * @param options.perSecond - of all pairs together
 */
export function createTraffic(options: { url: string; pairs: number; perSecond: number }) {
  const { url, pairs: count, perSecond } = options
  const tally: Tally = {
    published: 0,
    acknowledged: 0,
    delivered: 0,
    lost: 0,
    outOfOrder: 0,
    duplicates: 0,
    needless: 0,
    errors: 0,
    slowestBackMs: 0,
    latenciesMs: [],
  }
  const padding = 'x'.repeat(messageLength)
  /** When something was broken; clients that come back are timed from here. */
  let brokenAt: number | undefined
  const pairs: Pair[] = []
  for (let index = 0; index < count; index += 1) pairs.push(createPair())

  function createPair(): Pair {
    const topic = randomBytes(32).toString('hex')
    const back = { url, onBack: noteBack }
    const pair: Pair = {
      topic,
      app: createSteadyClient(back),
      wallet: createSteadyClient({
        ...back,
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

  function noteBack() {
    if (brokenAt === undefined) return
    tally.slowestBackMs = Math.max(tally.slowestBackMs, performance.now() - brokenAt)
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

  function deliver(pair: Pair, got: { seq: number; text: string; socketNumber: number }) {
    const [number = 0, publishedAt = 0] = got.text.split(' ', 2).map(Number)
    const before = pair.seen.get(number)
    if (before) {
      tally.duplicates += 1
      if (before.seq !== got.seq || before.socketNumber === got.socketNumber) tally.needless += 1
      pair.seen.set(number, { ...before, socketNumber: got.socketNumber })
      return
    }
    tally.delivered += 1
    if (number < pair.highest) tally.outOfOrder += 1
    pair.highest = Math.max(pair.highest, number)
    pair.seen.set(number, { seq: got.seq, socketNumber: got.socketNumber, at: publishedAt })
    tally.latenciesMs.push(performance.now() - publishedAt)
  }

  let turn = 0
  let owed = 0
  let lastTick = 0
  let ticker: NodeJS.Timeout | undefined
  function tick() {
    const now = performance.now()
    // A machine that stalls must not be followed by a flood of our own making.
    owed = Math.min(owed + ((now - lastTick) / 1000) * perSecond, perSecond)
    lastTick = now
    for (; owed >= 1; owed -= 1) publish(pairs[(turn = (turn + 1) % pairs.length)]!)
  }

  return {
    tally,
    get isBack() {
      return pairs.every(({ app, wallet }) => app.isBack && wallet.isBack)
    },
    /** How long the oldest publish has waited for its answer, in ms. */
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
    /** Something is about to break: from now on clients that come back are timed. */
    markBroken() {
      brokenAt = performance.now()
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

/** @param share - 0.99 for the 99th percentile; 0 of nothing */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
