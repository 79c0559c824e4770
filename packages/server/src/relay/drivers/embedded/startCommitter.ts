import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { StorageLocation } from '../../../storage/openStorage.ts'
import { toColumns, type Columns } from './columns.ts'
import type { Committed } from './commitWrites.ts'
import type { Committer } from './createCommitter.ts'

/** A call to the thread. Each is answered except `close`, which ends the thread. */
export type CommitterCall =
  | { id: number; name: 'commit'; columns: Columns; now: number; follows: boolean }
  | { id: number; name: 'sweep'; now: number }
  | { name: 'close' }

export type CommitterAnswer =
  | { id: number; result: Committed | boolean }
  /** Errors lose their custom properties when they are sent to another thread. */
  | { id: number; error: { message: string; code: string | undefined } }

type PendingCall = { resolve: (result: never) => void; reject: (error: unknown) => void }

/**
 * The thread receives about 4 MiB at a time and retains little of it, but on a machine with much memory V8
 * lets the heap grow to many times that before it collects garbage. A third of the young generation is for new
 * objects: a commit must fit into it, or most of its objects are copied to the old generation first.
 */
const heapLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 }

/**
 * Writes to a database in a worker thread, which starts with the first call. If the thread ends
 * unexpectedly, its transaction rolls back, pending calls reject, and the next call starts a new thread.
 */
export function startCommitter(location: StorageLocation): Committer {
  const pendingCalls = new Map<number, PendingCall>()
  let thread: Worker | undefined
  let lastId = 0

  function start() {
    const worker = new Worker(new URL('./committerThread.ts', import.meta.url), {
      workerData: location,
      resourceLimits: heapLimits,
      // Passes on the export conditions; other flags are meant for the main thread only.
      execArgv: process.execArgv.filter((flag) => flag.startsWith('--conditions=')),
    })
    let reason: unknown = new Error('the committer thread has ended')
    worker.on('message', settle)
    worker.on('error', (error) => (reason = error))
    worker.on('exit', () => {
      thread = undefined
      for (const { reject } of pendingCalls.values()) reject(reason)
      pendingCalls.clear()
    })
    return worker
  }

  function settle(answer: CommitterAnswer) {
    const pendingCall = pendingCalls.get(answer.id)
    pendingCalls.delete(answer.id)
    if ('result' in answer) pendingCall?.resolve(answer.result as never)
    else
      pendingCall?.reject(
        Object.assign(new Error(answer.error.message), { code: answer.error.code }),
      )
  }

  function call<Result>(toCall: (id: number) => CommitterCall): Promise<Result> {
    const id = (lastId += 1)
    return new Promise((resolve, reject) => {
      pendingCalls.set(id, { resolve, reject })
      thread ??= start()
      thread.postMessage(toCall(id))
    })
  }

  return {
    commit(writes, now, follows) {
      const columns = toColumns(writes)
      return call((id) => ({ id, name: 'commit', columns, now, follows }))
    },
    sweep: (now) => call((id) => ({ id, name: 'sweep', now })),
    async close() {
      if (!thread) return
      const exit = once(thread, 'exit')
      thread.postMessage({ name: 'close' } satisfies CommitterCall)
      await exit
    },
  }
}
