import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { StorageLocation } from '../../../storage/openStorage.ts'
import type { Committed, Write } from './commitWrites.ts'
import type { Committer } from './createCommitter.ts'

/** What the thread is asked; each is answered but the last, after which it ends. */
export type CommitterCall =
  | { id: number; name: 'commit'; writes: readonly Write[]; now: number; follows: boolean }
  | { id: number; name: 'sweep'; now: number }
  | { name: 'close' }

export type CommitterAnswer =
  | { id: number; result: Committed | boolean }
  /** An error loses its own fields on its way between threads. */
  | { id: number; error: { message: string; code: string | undefined } }

type Asker = { resolve: (result: never) => void; reject: (error: unknown) => void }

/**
 * The thread is handed some 4 MiB at a time and holds little for long, but V8 lets the heap of a machine
 * with much memory grow to many times that before it collects.
 */
const heapLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 }

/**
 * Writes to a database from a thread of its own, which starts with the first call. One that ends by
 * itself takes its transaction with it: what it was asked rejects, and the next call starts another.
 */
export function startCommitter(location: StorageLocation): Committer {
  const askers = new Map<number, Asker>()
  let thread: Worker | undefined
  let lastId = 0

  function start() {
    // One that the process was given would hold here too, in place of the limits. The main thread keeps its own.
    setFlagsFromString('--max-semi-space-size=0')
    const worker = new Worker(new URL('./committerThread.ts', import.meta.url), {
      workerData: location,
      resourceLimits: heapLimits,
      // Which files packages mean by their names; other flags are the main thread's own.
      execArgv: process.execArgv.filter((flag) => flag.startsWith('--conditions=')),
    })
    let reason: unknown = new Error('the thread that writes messages has ended')
    worker.on('message', take)
    worker.on('error', (error) => (reason = error))
    worker.on('exit', () => {
      if (thread === worker) thread = undefined
      for (const { reject } of askers.values()) reject(reason)
      askers.clear()
    })
    return worker
  }

  function take(answer: CommitterAnswer) {
    const asker = askers.get(answer.id)
    askers.delete(answer.id)
    if ('result' in answer) asker?.resolve(answer.result as never)
    else asker?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }))
  }

  function ask<Result>(toCall: (id: number) => CommitterCall): Promise<Result> {
    const id = (lastId += 1)
    return new Promise((resolve, reject) => {
      askers.set(id, { resolve, reject })
      thread ??= start()
      thread.postMessage(toCall(id))
    })
  }

  return {
    commit: (writes, now, follows) => ask((id) => ({ id, name: 'commit', writes, now, follows })),
    sweep: (now) => ask((id) => ({ id, name: 'sweep', now })),
    async close() {
      if (!thread) return
      const exit = once(thread, 'exit')
      thread.postMessage({ name: 'close' } satisfies CommitterCall)
      await exit
    },
  }
}
