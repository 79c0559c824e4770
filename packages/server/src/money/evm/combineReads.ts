import { setImmediate } from 'node:timers/promises'
import type { Address, Hex } from 'viem'

/** The read of a contract's function. */
export type Read = { to: Address; data: Hex }

/** What a contract returned. Empty and successful if there is no contract. */
export type ReadResult = { success: boolean; returnData: Hex }

type Combined<Result> = {
  /** By receiver and calldata. */
  reads: Map<string, { read: Read; result: PromiseWithResolvers<Result> }>
  bytes: number
}

/** Maximum size of the calldata of reads that are sent together, in bytes. */
const maxBytes = 256 * 1024
/** Maximum number of results that are returned in one iteration of the event loop. */
const resultsAtOnce = 50

/**
 * Creates a function that sends the reads of the same turn of the event loop together. Equal reads are sent once.
 * Results are returned in several iterations of the event loop, because what waits for a thousand of them would keep
 * it busy for 100 ms.
 *
 * @param send - returns the results in the order of the reads. If it throws, so do all of them.
 */
export function combineReads<Result>(
  send: (reads: readonly Read[]) => Promise<readonly Result[]>,
): (read: Read) => Promise<Result> {
  let next: Combined<Result> | undefined

  function open(): Combined<Result> {
    const combined: Combined<Result> = { reads: new Map(), bytes: 0 }
    setTimeout(() => {
      if (next === combined) next = undefined
      void settle([...combined.reads.values()])
    }, 0)
    return combined
  }

  async function settle(pending: readonly { read: Read; result: PromiseWithResolvers<Result> }[]) {
    try {
      const results = await send(pending.map(({ read }) => read))
      for (const [index, { result }] of pending.entries()) {
        if (index > 0 && index % resultsAtOnce === 0) await setImmediate()
        result.resolve(results[index]!)
      }
    } catch (error) {
      for (const { result } of pending) result.reject(error)
    }
  }

  return async (read) => {
    const key = `${read.to}${read.data}`.toLowerCase()
    if (!next || next.bytes >= maxBytes) next = open()
    let entry = next.reads.get(key)
    if (!entry) {
      entry = { read, result: Promise.withResolvers<Result>() }
      next.reads.set(key, entry)
      next.bytes += read.data.length / 2
    }
    return entry.result.promise
  }
}
