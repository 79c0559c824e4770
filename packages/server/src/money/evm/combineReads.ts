import type { Address, Hex } from 'viem'

/** The read of a contract's function. */
export type Read = { to: Address; data: Hex }

/** What a contract returned. Empty and successful if there is no contract. */
export type ReadResult = { success: boolean; returnData: Hex }

type Combined<Result> = {
  reads: Map<string, Read>
  bytes: number
  results: Promise<ReadonlyMap<string, Result>>
}

/** Maximum size of the calldata of reads that are sent together, in bytes. */
const maxBytes = 256 * 1024

/**
 * Creates a function that sends the reads of the same turn of the event loop together. Equal reads are sent once.
 *
 * @param send - returns the results in the order of the reads. If it throws, so do all of them.
 */
export function combineReads<Result>(
  send: (reads: readonly Read[]) => Promise<readonly Result[]>,
): (read: Read) => Promise<Result> {
  let next: Combined<Result> | undefined

  function open(): Combined<Result> {
    const reads = new Map<string, Read>()
    const results = new Promise<void>((resolve) => void setTimeout(resolve, 0)).then(async () => {
      if (next?.reads === reads) next = undefined
      const results = await send([...reads.values()])
      return new Map([...reads.keys()].map((key, index) => [key, results[index]!]))
    })
    return { reads, bytes: 0, results }
  }

  return async (read) => {
    const key = `${read.to}${read.data}`.toLowerCase()
    if (!next || next.bytes >= maxBytes) next = open()
    if (!next.reads.has(key)) next.bytes += read.data.length / 2
    next.reads.set(key, read)
    return (await next.results).get(key)!
  }
}
