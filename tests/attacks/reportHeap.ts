/**
 * Preloaded (`--import`) into a server that runs with `--expose-gc`. Replies to each message from the parent
 * process with the size of the heap after a garbage collection, in bytes.
 */
process.on('message', () => {
  globalThis.gc?.()
  process.send?.({ heapUsed: process.memoryUsage().heapUsed })
})
process.channel?.unref()
