import type { Duplex } from 'node:stream'

export type WriteCoalescer = ReturnType<typeof createWriteCoalescer>

/**
 * Coalesces all writes to a stream within one turn into one system call. One commit often answers
 * several requests from a client and delivers several messages to the same subscriber.
 */
export function createWriteCoalescer() {
  let corked: Duplex[] = []

  function uncork() {
    const streams = corked
    corked = []
    for (const stream of streams) stream.uncork()
  }

  return {
    /** Call before each write. */
    cork(stream: Duplex) {
      if (stream.writableCorked > 0) return
      stream.cork()
      // If `cork` is called from a promise job, `uncork` runs after the other promise jobs of this turn.
      if (corked.push(stream) === 1) process.nextTick(uncork)
    },
  }
}
