/**
 * Preloaded (`--import`) into a server that runs with `--expose-gc`: answers each message of the parent
 * process with the bytes of its heap after a garbage collection.
 */
process.on('message', () => {
  globalThis.gc?.()
  process.send?.({ heapUsed: process.memoryUsage().heapUsed })
})
process.channel?.unref()
