import { Worker } from 'node:worker_threads'

/** The thread copies pages between files, and needs almost no JavaScript memory. */
const heapLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 }

/**
 * Copies the write-ahead log of a SQLite file into the database in a thread, while other connections write. Without it,
 * the commit that makes the log exceed its limit does that, and all later commits wait for up to 200 ms.
 *
 * @param onError - called if the thread cannot start. The connections then checkpoint in their commits.
 * @returns a function that ends the thread.
 * @see docs/adr/0007-relay-writes-in-a-thread.md
 */
export function startCheckpoints(file: string, onError: (error: unknown) => void) {
  const thread = new Worker(new URL('./checkpointThread.ts', import.meta.url), {
    workerData: file,
    resourceLimits: heapLimits,
    // Passes on the export conditions; other flags are meant for the main thread only.
    execArgv: process.execArgv.filter((flag) => flag.startsWith('--conditions=')),
  })
  const exit = new Promise((resolve) => thread.once('exit', resolve))
  thread.on('error', onError)
  return async () => {
    thread.postMessage('close')
    await exit
  }
}
