import { BaseError } from '@gatefold/protocol'

export type Slots = {
  /**
   * Runs work when there is a slot for it. Keys with waiting work take turns; the work of one key runs in order.
   *
   * @param signal - ends the wait.
   * @throws {NoSlotError} if too much work is already waiting, or the wait was aborted.
   */
  run<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

/**
 * Limits concurrent and waiting work, in total and for each key. A key that
 * waits for its own slots does not delay other keys.
 */
export function createSlots(options: {
  /** Maximum running at a time. */
  all: number
  /** Maximum running at a time for one key. */
  perKey: number
  /** Maximum waiting. */
  waiting: number
  /** Maximum waiting for one key. */
  waitingPerKey: number
}): Slots {
  const running = new Map<string, number>()
  /** Waiting work by key. The first key is the next to have its turn. */
  const queues = new Map<string, Set<() => void>>()
  let total = 0
  let waiting = 0

  function add(key: string, change: 1 | -1) {
    const count = (running.get(key) ?? 0) + change
    total += change
    if (count > 0) running.set(key, count)
    else running.delete(key)
  }

  const hasSlot = (key: string) => total < options.all && (running.get(key) ?? 0) < options.perKey

  function startNext() {
    if (total >= options.all) return
    for (const [key, queue] of queues) {
      if (!hasSlot(key)) continue
      const [start] = queue
      queues.delete(key)
      queues.set(key, queue)
      leave(key, start!)
      add(key, 1)
      start!()
      return
    }
  }

  function leave(key: string, start: () => void) {
    const queue = queues.get(key)
    if (!queue?.delete(start)) return
    waiting -= 1
    if (queue.size === 0) queues.delete(key)
  }

  async function enter(key: string, signal: AbortSignal) {
    if (signal.aborted) throw new NoSlotError(signal.reason)
    if (hasSlot(key)) return add(key, 1)
    const queue = queues.get(key) ?? new Set()
    if (waiting >= options.waiting || queue.size >= options.waitingPerKey) throw new NoSlotError()
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const abort = () => {
      leave(key, start)
      // Has no effect if `start` was called just before; then the work runs and frees its slot.
      reject(new NoSlotError(signal.reason))
    }
    queues.set(key, queue.add(start))
    waiting += 1
    signal.addEventListener('abort', abort)
    await promise.finally(() => signal.removeEventListener('abort', abort))
  }

  return {
    async run(key, signal, work) {
      await enter(key, signal)
      try {
        return await work()
      } finally {
        add(key, -1)
        startNext()
      }
    },
  }
}

/** Too much work of this kind is already waiting, or the wait took too long. */
export class NoSlotError extends BaseError {
  override name = 'NoSlotError'
  constructor(cause?: unknown) {
    super('The server is busy; try again in a few seconds.', {
      code: 'http.busy',
      ...(cause !== undefined && { cause }),
    })
  }
}
