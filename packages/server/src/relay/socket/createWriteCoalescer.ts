import type { Duplex } from 'node:stream'

export type WriteCoalescer = ReturnType<typeof createWriteCoalescer>

/**
 * Has what is written to streams within one turn leave in one write each: a commit answers several
 * requests of a client, and what it made arrive goes to the same readers.
 */
export function createWriteCoalescer() {
  let corked: Duplex[] = []

  function uncork() {
    const streams = corked
    corked = []
    for (const stream of streams) stream.uncork()
  }

  return {
    /** To be called before a write. */
    cork(stream: Duplex) {
      if (stream.writableCorked > 0) return
      stream.cork()
      // It runs once all that was promised in this turn has been done.
      if (corked.push(stream) === 1) process.nextTick(uncork)
    },
  }
}
