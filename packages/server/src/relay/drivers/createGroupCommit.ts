import { setTimeout as wait } from 'node:timers/promises'
import { RelayStorageError } from '../errors.ts'

export type GroupCommit<Write, Result> = {
  /** Resolves with the result once the write is durable. @throws {RelayStorageError} */
  write(write: Write): Promise<Result>
  /** What stands in the way now; `undefined` when the last commit went through. */
  trouble(): unknown
  /** Finishes what was written, as far as the store lets it. */
  close(): Promise<void>
}

type Waiting<Write, Result> = {
  write: Write
  weight: number
  deadline: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

type Commit<Write, Result> = {
  entries: Waiting<Write, Result>[]
  outcome: Promise<{ results: Result[] } | { error: unknown }>
}

/** Bytes of one commit, so that none holds the store for long. */
const commitBytes = 4 * 1024 * 1024
/** Writes of one commit. */
const commitWrites = 2_000
/** A write waits no longer than this for a store that is away; the official client gives up then. */
const patienceMs = 60_000
/** Bytes that may wait for a store that is away. */
const waitingBytes = 64 * 1024 * 1024
const firstPauseMs = 50
const longestPauseMs = 1_000

/** So many writes wait when a second commit is handed over before the first is through. */
const aheadWrites = 200

/**
 * Commits in groups: what is written while a commit runs waits for the next one, so a busy store
 * sees few large transactions and a quiet one answers at once. Order is kept. While the store is
 * away writes wait, bounded in time and bytes.
 *
 * @param options.commit - makes all of the writes durable, or none of them. It may be called again
 * with the same writes and more, after an error that left open whether it took effect. What `follows`
 * was handed over while the commit before it ran; it must come after it, and fail if that failed.
 * @param options.isAhead - whether a busy store is handed a second commit while one runs, so that it
 * need not wait for this thread in between.
 * @param options.isFault - whether an error is the writes' own fault, so that waiting cannot help.
 * @param options.weigh - bytes of a write.
 */
export function createGroupCommit<Write, Result>(options: {
  commit: (writes: readonly Write[], follows: boolean) => Promise<Result[]>
  isAhead?: boolean
  isFault: (error: unknown) => boolean
  weigh: (write: Write) => number
  onTrouble?: (error: unknown) => void
}): GroupCommit<Write, Result> {
  const { commit, isAhead = false, isFault, weigh, onTrouble = () => {} } = options
  /** Those under way stay in front until they are through. */
  const waiting: Waiting<Write, Result>[] = []
  /** Commits under way, in their order. */
  const underWay: Commit<Write, Result>[] = []
  const closing = new AbortController()
  let waitingWeight = 0
  let running: Promise<void> | undefined
  let trouble: unknown

  function send() {
    const start = countUnderWay()
    let weight = 0
    let end = start
    for (; end < waiting.length && end - start < commitWrites; end += 1) {
      weight += waiting[end]!.weight
      if (end > start && weight > commitBytes) break
    }
    const entries = waiting.slice(start, end)
    const writes = entries.map(({ write }) => write)
    const outcome = commit(writes, start > 0).then(
      (results) => ({ results }),
      (error: unknown) => ({ error }),
    )
    underWay.push({ entries, outcome })
  }

  function sendAhead() {
    if (!isAhead || underWay.length !== 1) return
    if (waiting.length - countUnderWay() >= aheadWrites) send()
  }

  function countUnderWay() {
    return underWay.reduce((sum, { entries }) => sum + entries.length, 0)
  }

  function leave(entries: Waiting<Write, Result>[]) {
    waiting.splice(0, entries.length)
    for (const entry of entries) waitingWeight -= entry.weight
  }

  async function run() {
    for (let pause = firstPauseMs; waiting.length > 0;) {
      // What else arrives in this turn joins, and answers leave before the next commit.
      await new Promise(setImmediate)
      if (underWay.length === 0) send()
      else sendAhead()
      const [{ entries, outcome }] = underWay as [Commit<Write, Result>]
      const done = await outcome
      underWay.shift()
      if ('results' in done) {
        trouble = undefined
        pause = firstPauseMs
        leave(entries)
        entries.forEach((entry, index) => entry.resolve(done.results[index] as Result))
        continue
      }
      // What follows has failed with it, and begins anew.
      await Promise.all(underWay.splice(0).map((commit) => commit.outcome))
      const { error } = done
      if (isFault(error)) {
        leave(entries)
        await commitEach(entries)
        continue
      }
      if (trouble === undefined) onTrouble(error)
      trouble = error
      giveUp(error)
      // Closing ends the pause, and a last attempt is made.
      if (closing.signal.aborted) giveUp(error, Infinity)
      await wait(pause, undefined, { signal: closing.signal }).catch(() => {})
      pause = Math.min(pause * 2, longestPauseMs)
    }
    running = undefined
  }

  /** One of the writes is at fault: each alone, so that the others do not suffer. */
  async function commitEach(entries: Waiting<Write, Result>[]) {
    for (const entry of entries) {
      try {
        const [result] = await commit([entry.write], false)
        entry.resolve(result as Result)
      } catch (error) {
        entry.reject(new RelayStorageError(error))
      }
    }
  }

  /** The oldest stand in front, so those that have waited long enough do as well. */
  function giveUp(error: unknown, now = performance.now()) {
    const late = waiting.findIndex(({ deadline }) => deadline > now)
    const entries = waiting.slice(0, late === -1 ? waiting.length : late)
    leave(entries)
    for (const entry of entries) entry.reject(new RelayStorageError(error))
  }

  return {
    write(write) {
      const weight = weigh(write)
      // Once it is closed nothing may open the store again, as for a publish that was delayed.
      if (closing.signal.aborted || waitingWeight + weight > waitingBytes)
        return Promise.reject(new RelayStorageError(trouble))
      return new Promise((resolve, reject) => {
        waitingWeight += weight
        waiting.push({ write, weight, deadline: performance.now() + patienceMs, resolve, reject })
        running ??= run()
        sendAhead()
      })
    },
    trouble: () => trouble,
    async close() {
      closing.abort()
      await running
    },
  }
}
