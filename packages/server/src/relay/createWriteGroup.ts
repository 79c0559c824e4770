import { setTimeout as wait } from 'node:timers/promises'
import { RelayStorageError } from './errors.ts'

export type WriteGroup<Write, Result> = {
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

/**
 * Commits in groups: what is written while a commit runs waits for the next one, so a busy store
 * sees few large transactions and a quiet one answers at once. Order is kept. While the store is
 * away writes wait, bounded in time and bytes.
 *
 * @param options.commit - makes all of the writes durable, or none of them. It may be called again
 * with the same writes and more, after an error that left open whether it took effect.
 * @param options.isFault - whether an error is the writes' own fault, so that waiting cannot help.
 * @param options.weigh - bytes of a write.
 */
export function createWriteGroup<Write, Result>(options: {
  commit: (writes: readonly Write[]) => Promise<Result[]>
  isFault: (error: unknown) => boolean
  weigh: (write: Write) => number
  onTrouble?: (error: unknown) => void
}): WriteGroup<Write, Result> {
  const { commit, isFault, weigh, onTrouble = () => {} } = options
  const waiting: Waiting<Write, Result>[] = []
  const closing = new AbortController()
  let waitingWeight = 0
  let running: Promise<void> | undefined
  let trouble: unknown

  /** Takes the writes of the next commit; they stay in front until it is through. */
  function next() {
    let weight = 0
    const count = waiting.findIndex((entry, index) => {
      weight += entry.weight
      return index > 0 && (weight > commitBytes || index >= commitWrites)
    })
    return waiting.slice(0, count === -1 ? waiting.length : count)
  }

  function leave(entries: Waiting<Write, Result>[]) {
    waiting.splice(0, entries.length)
    for (const entry of entries) waitingWeight -= entry.weight
  }

  async function run() {
    for (let pause = firstPauseMs; waiting.length > 0;) {
      // What else arrives in this turn joins, and answers leave before the next commit.
      await new Promise(setImmediate)
      const entries = next()
      try {
        const results = await commit(entries.map(({ write }) => write))
        trouble = undefined
        pause = firstPauseMs
        leave(entries)
        entries.forEach((entry, index) => entry.resolve(results[index] as Result))
      } catch (error) {
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
    }
    running = undefined
  }

  /** One of the writes is at fault: each alone, so that the others do not suffer. */
  async function commitEach(entries: Waiting<Write, Result>[]) {
    for (const entry of entries) {
      try {
        const [result] = await commit([entry.write])
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
      if (waitingWeight + weight > waitingBytes)
        return Promise.reject(new RelayStorageError(trouble))
      return new Promise((resolve, reject) => {
        waitingWeight += weight
        waiting.push({ write, weight, deadline: performance.now() + patienceMs, resolve, reject })
        running ??= run()
      })
    },
    trouble: () => trouble,
    async close() {
      closing.abort()
      await running
    },
  }
}
