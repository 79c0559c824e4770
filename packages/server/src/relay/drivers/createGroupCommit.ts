import { setTimeout as wait } from 'node:timers/promises'
import { RelayStorageError } from '../errors.ts'

export type GroupCommit<Write, Result> = {
  /** Resolves with the result once the write is durable. @throws {RelayStorageError} with `isUnsent` if it was never sent. */
  write(write: Write): Promise<Result>
  /** The error of the store at the last commit; `undefined` while commits succeed. */
  error(): unknown
  /** Commits pending writes if the store is available, and rejects them otherwise. */
  close(): Promise<void>
}

type Waiting<Write, Result> = {
  write: Write
  weight: number
  items: number
  lane: Lane
  /** Its turn among the writes of its lane; set while a commit is selected. */
  turn: number
  deadline: number
  /** Whether it was part of a commit that has failed, and that may have taken effect. */
  mayBeStored: boolean
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

type Commit<Write, Result> = {
  entries: readonly Waiting<Write, Result>[]
  outcome: Promise<{ results: Result[] } | { error: unknown }>
}

/** Maximum bytes per commit, in addition to the oldest write, so that no commit locks the store for long. */
const commitBytes = 4 * 1024 * 1024
/** Maximum messages, receipts and topics in one commit. */
const commitItems = 2_000
/** How long a write waits for an unavailable store, in ms. Official clients time out after 60 s. */
const writeTimeoutMs = 60_000
/** Maximum bytes of writes that wait for an unavailable store. */
const waitingBytes = 64 * 1024 * 1024
const firstPauseMs = 50
const longestPauseMs = 1_000

/** How long commits stay small after writes of several addresses have waited, in ms. */
const sharedMs = 1_000
/** Maximum bytes of a small commit, in addition to the oldest write. */
const sharedBytes = 1024 * 1024

/** A write with more bytes than this is large: its commit takes many times longer than the commit of most writes. */
const mostSmallBytes = 64 * 1024

/** Number of equal shares of a commit. The lanes use one share each, in turn, until the commit is full. */
const sharesPerCommit = 64

/** The sender of a write. */
export type Lane = {
  /** Its network address; empty if it is unknown. A client can create any number of ids, but not of addresses. */
  address: string
  clientId: string
}

/** Maximum of bytes and items. */
type Size = { bytes: number; items: number }

const noLane: Lane = { address: '', clientId: '' }

/** Number of pending writes at which a second commit is sent before the first has finished. */
const aheadWrites = 200

/**
 * Group commit: writes made during a commit join the next commit. A busy store therefore runs few large
 * transactions, and an idle store commits immediately. Each client's writes keep their order. While the store is
 * unavailable, writes wait and are retried, within limits of time and bytes.
 *
 * @param options.commit - makes all writes durable. After an error, the outcome is unknown, and `commit`
 * is called again with these writes, possibly among newer ones. If `follows` is true, the previous commit is still
 * running: this one must run after it, and must fail if the previous one fails.
 * @param options.isAhead - whether to send a second commit while one runs, so that a busy store does
 * not idle between commits.
 * @param options.isFault - whether the writes caused an error. They are then retried one by one.
 * @param options.isUnsent - whether an error shows that a commit was not sent, so that it has not taken effect.
 * @param options.count - returns the number of messages, receipts or topics in a write.
 * @param options.maxItems - maximum of this number in one commit, in addition to the oldest write.
 * @param options.maxSharedItems - the maximum for a second after writes of several addresses have waited; `maxItems` by
 * default. Such a commit also has at most 1 MiB, and never two in succession have large writes. An address then waits
 * less for the writes of others, but each commit takes some time of its own.
 * @param options.waitingShare - share of the bytes that may wait; less than 1 if several queues share them.
 * @param options.laneOf - returns the sender of a write.
 * @param options.weigh - returns the bytes of a write.
 */
export function createGroupCommit<Write, Result>(options: {
  commit: (writes: readonly Write[], follows: boolean) => Promise<Result[]>
  isAhead?: boolean
  isFault: (error: unknown) => boolean
  isUnsent?: (error: unknown) => boolean
  count?: (write: Write) => number
  maxItems?: number
  maxSharedItems?: number
  waitingShare?: number
  weigh: (write: Write) => number
  laneOf?: (write: Write) => Lane
  onError?: (error: unknown) => void
}): GroupCommit<Write, Result> {
  const { commit, isAhead = false, isFault, weigh, onError = () => {} } = options
  const { isUnsent = () => false } = options
  const { count = () => 1, maxItems = commitItems, waitingShare = 1 } = options
  const { maxSharedItems = maxItems, laneOf = () => noLane } = options
  /** Pending writes; writes in flight stay at the front until they are committed. */
  let waiting: Waiting<Write, Result>[] = []
  /** Commits in flight, in order. */
  const inFlight: Commit<Write, Result>[] = []
  const closing = new AbortController()
  let waitingWeight = 0
  /** Until when commits are small, on the clock of `performance`. */
  let sharedUntil = -Infinity
  /** Whether the last commit that was sent has a large write. */
  let wasLarge = false
  let running: Promise<void> | undefined
  let lastError: unknown

  function send() {
    const start = countInFlight()
    const pending = waiting.slice(start)
    const now = performance.now()
    if (hasSeveralAddresses(pending)) sharedUntil = now + sharedMs
    const isShared = now < sharedUntil
    const most = isShared
      ? { bytes: sharedBytes, items: maxSharedItems }
      : { bytes: commitBytes, items: maxItems }
    const candidates = isShared && wasLarge ? withoutLarge(pending) : pending
    const entries = fitsInOne(candidates, most) ? candidates : pick(candidates, most)
    if (entries.length < pending.length) {
      const picked = new Set(entries)
      const rest = pending.filter((entry) => !picked.has(entry))
      waiting = [...waiting.slice(0, start), ...entries, ...rest]
    }
    wasLarge = entries.some(isLarge)
    const writes = entries.map(({ write }) => write)
    const outcome = commit(writes, start > 0).then(
      (results) => ({ results }),
      (error: unknown) => {
        if (!isUnsent(error)) for (const entry of entries) entry.mayBeStored = true
        return { error }
      },
    )
    inFlight.push({ entries, outcome })
  }

  /**
   * Selects the writes of one commit if not all fit: the oldest write, then the writes of each address, and of each of
   * its clients, in shares of 1/64 of a commit, so that an address or a client with many or large writes does not delay
   * the others.
   * Writes of one share stay together, because their responses are then sent in fewer packets.
   */
  function pick(pending: readonly Waiting<Write, Result>[], most: Size) {
    const [oldest, ...others] = pending as [Waiting<Write, Result>, ...Waiting<Write, Result>[]]
    const picked = new Set([oldest])
    // Beyond one share, the oldest write takes no room, because it may be as large as a commit.
    const room = {
      bytes: most.bytes - Math.min(oldest.weight, most.bytes / sharesPerCommit),
      items: most.items - Math.min(oldest.items, Math.ceil(most.items / sharesPerCommit)),
    }
    const ofClients = inTurns(others, most, ({ clientId }) => clientId)
    const full = new Set<string>()
    for (const entry of inTurns(ofClients, most, ({ address }) => address)) {
      const { weight, items, lane } = entry
      // After a write without room, the client's later writes must wait too.
      if (full.has(lane.clientId) || weight > room.bytes || items > room.items) {
        if (room.items <= 0) break
        full.add(lane.clientId)
        continue
      }
      room.bytes -= weight
      room.items -= items
      picked.add(entry)
    }
    return pending.filter((entry) => picked.has(entry))
  }

  /** Returns the writes before which no large write of their client waits; all writes if that leaves none. */
  function withoutLarge(pending: readonly Waiting<Write, Result>[]) {
    const blocked = new Set<string>()
    const small = pending.filter((entry) => {
      if (isLarge(entry)) blocked.add(entry.lane.clientId)
      return !blocked.has(entry.lane.clientId)
    })
    return small.length > 0 ? small : pending
  }

  /** Whether writes of several addresses wait. */
  function hasSeveralAddresses(pending: readonly Waiting<Write, Result>[]) {
    return pending.some(({ lane }) => lane.address !== pending[0]!.lane.address)
  }

  function fitsInOne(pending: readonly Waiting<Write, Result>[], most: Size) {
    let [bytes, items] = [0, 0]
    for (const entry of pending) {
      bytes += entry.weight
      items += entry.items
    }
    return bytes <= most.bytes && items <= most.items
  }

  /** Orders writes by turns. In each turn, a lane may use one share of a commit. Keeps the order of each lane. */
  function inTurns(
    entries: readonly Waiting<Write, Result>[],
    most: Size,
    nameOf: (lane: Lane) => string,
  ): readonly Waiting<Write, Result>[] {
    const used = new Map<string, number>()
    let isSorted = true
    let lastTurn = 0
    for (const entry of entries) {
      const name = nameOf(entry.lane)
      const size = Math.max(entry.weight / most.bytes, entry.items / most.items)
      const share = (used.get(name) ?? 0) + size
      used.set(name, share)
      entry.turn = Math.floor(share * sharesPerCommit)
      isSorted &&= entry.turn >= lastTurn
      lastTurn = entry.turn
    }
    return isSorted ? entries : entries.toSorted((a, b) => a.turn - b.turn)
  }

  function sendAhead() {
    if (!isAhead || inFlight.length !== 1) return
    if (waiting.length - countInFlight() >= aheadWrites) send()
  }

  function countInFlight() {
    return inFlight.reduce((sum, { entries }) => sum + entries.length, 0)
  }

  function remove(entries: readonly Waiting<Write, Result>[]) {
    waiting.splice(0, entries.length)
    for (const entry of entries) waitingWeight -= entry.weight
  }

  async function run() {
    // Lets this turn's writes join the first commit.
    await new Promise(setImmediate)
    for (let pause = firstPauseMs; waiting.length > 0;) {
      if (inFlight.length === 0) send()
      else sendAhead()
      const [{ entries, outcome }] = inFlight as [Commit<Write, Result>]
      const done = await outcome
      inFlight.shift()
      if ('results' in done) {
        lastError = undefined
        pause = firstPauseMs
        remove(entries)
        entries.forEach((entry, index) => entry.resolve(done.results[index] as Result))
        continue
      }
      // A following commit fails too, and both are retried.
      await Promise.all(inFlight.splice(0).map((commit) => commit.outcome))
      const { error } = done
      if (isFault(error)) {
        remove(entries)
        await commitEach(entries)
        continue
      }
      if (lastError === undefined) onError(error)
      lastError = error
      rejectExpired(error)
      // `close` ends the pause below. The next attempt is then the last one.
      if (closing.signal.aborted) rejectExpired(error, Infinity)
      await wait(pause, undefined, { signal: closing.signal }).catch(() => {})
      pause = Math.min(pause * 2, longestPauseMs)
    }
    running = undefined
  }

  /** Commits each write separately, so that a faulty write does not make the others fail. */
  async function commitEach(entries: readonly Waiting<Write, Result>[]) {
    for (const entry of entries) {
      try {
        const [result] = await commit([entry.write], false)
        entry.resolve(result as Result)
      } catch (error) {
        entry.reject(new RelayStorageError(error))
      }
    }
  }

  /** Rejects writes past their deadline. No commit may be in flight. */
  function rejectExpired(error: unknown, now = performance.now()) {
    const expired = waiting.filter(({ deadline }) => deadline <= now)
    waiting = waiting.filter(({ deadline }) => deadline > now)
    for (const { weight, mayBeStored, reject } of expired) {
      waitingWeight -= weight
      reject(new RelayStorageError(error, { isUnsent: !mayBeStored }))
    }
  }

  return {
    write(write) {
      const weight = weigh(write)
      // A delayed publish may still be made after `close`, but must not reopen the store.
      if (closing.signal.aborted || waitingWeight + weight > waitingBytes * waitingShare)
        return Promise.reject(new RelayStorageError(lastError, { isUnsent: true }))
      return new Promise((resolve, reject) => {
        waitingWeight += weight
        waiting.push({
          write,
          weight,
          items: count(write),
          lane: laneOf(write),
          turn: 0,
          deadline: performance.now() + writeTimeoutMs,
          mayBeStored: false,
          resolve,
          reject,
        })
        running ??= run()
        sendAhead()
      })
    },
    error: () => lastError,
    async close() {
      closing.abort()
      await running
    },
  }
}

function isLarge({ weight }: { weight: number }) {
  return weight > mostSmallBytes
}
