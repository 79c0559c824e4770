import { BaseError, limits } from '@gatefold/protocol'
import type { CardKind } from '@gatefold/protocol/frame'
import type { ChosenLimits } from './limitCalls.ts'
import type { Statement } from './Statement.ts'

/** A request that waits for the visitor. */
export type Pending = {
  id: number
  origin: string
  /** What it is for, according to its method. */
  kind: CardKind
  /** `undefined` until the request has been examined. */
  statement: Statement | undefined
  /** A limit is being changed and the request examined again, or that has failed and nothing has changed. */
  change: 'examining' | 'failed' | undefined
  approve(): void
  /**
   * Changes the amount of an allowance. The request is examined again before it can be approved.
   *
   * @param call - the index of the call.
   * @param amount - in atomic units; `undefined` for unlimited.
   */
  limit(call: number, amount: bigint | undefined): void
  reject(): void
}

export type Approvals = {
  /**
   * Asks the visitor to approve a request. Requests are shown one at a time.
   *
   * @param prepare - examines the request, with the amounts that the visitor has chosen; called when its turn comes, and
   *   for each change of an amount.
   * @param use - called after the approval; its result is discarded if the
   *   request has been cancelled by then.
   * @throws {RejectedError} if the visitor rejects it.
   * @throws {AbortedError} if the page cancels it.
   * @throws {BusyError} if too many requests wait.
   */
  ask<Prepared, Result>(
    request: { origin: string; kind: CardKind },
    prepare: (chosen: ChosenLimits) => Promise<{ statement: Statement; prepared: Prepared }>,
    use: (prepared: Prepared) => Promise<Result>,
  ): Promise<Result>
  /** Cancels all requests. */
  cancel(): void
  /**
   * Calls a listener with the request to show and the number of requests queued
   * behind it.
   */
  watch(listener: (shown: Pending | undefined, waiting: number) => void): void
}

type Entry = { pending: Pending; start(): void; cancel(error: Error): void }

/** Creates the queue of approvals. @see docs/threats.md#frame-messages */
export function createApprovals(): Approvals {
  const queue: Entry[] = []
  let nextId = 1
  let listener: Parameters<Approvals['watch']>[0] = () => {}

  const show = () => listener(queue[0]?.pending, Math.max(0, queue.length - 1))

  function remove(entry: Entry) {
    const at = queue.indexOf(entry)
    if (at < 0) return
    queue.splice(at, 1)
    if (at === 0) queue[0]?.start()
    show()
  }

  return {
    ask<Prepared, Result>(
      request: { origin: string; kind: CardKind },
      prepare: (chosen: ChosenLimits) => Promise<{ statement: Statement; prepared: Prepared }>,
      use: (prepared: Prepared) => Promise<Result>,
    ) {
      if (queue.length >= limits.frameQueueLength) return Promise.reject(new BusyError())
      return new Promise<Result>((resolve, reject) => {
        let prepared: { value: Prepared } | undefined
        let chosen: ChosenLimits = new Map()
        /** The number of changes of a limit. Only the examination of the last one counts. */
        let changes = 0
        /** Approved, rejected or cancelled. A card that is still shown must not change that. */
        let isDecided = false
        const settle = (run: () => void) => {
          isDecided = true
          remove(entry)
          run()
        }
        const pending: Pending = {
          id: nextId++,
          ...request,
          statement: undefined,
          change: undefined,
          approve() {
            const { statement, change } = pending
            if (isDecided || !prepared || !statement || statement.level === 'refused') return
            if (change === 'examining') return
            if (statement.second) {
              pending.statement = statement.second
              show()
              return
            }
            isDecided = true
            use(prepared.value).then(
              (result) => settle(() => resolve(result)),
              (error: unknown) => settle(() => reject(error)),
            )
          },
          limit(call, amount) {
            if (isDecided || !prepared) return
            const next = new Map(chosen).set(call, amount)
            const count = (changes += 1)
            const finish = (change: Pending['change'], apply = () => {}) => {
              if (isDecided || count !== changes) return
              apply()
              pending.change = change
              show()
            }
            pending.change = 'examining'
            show()
            prepare(next).then(
              (ready) =>
                finish(undefined, () => {
                  chosen = next
                  prepared = { value: ready.prepared }
                  pending.statement = ready.statement
                }),
              // The previous amounts, which are still shown, stay.
              () => finish('failed'),
            )
          },
          reject() {
            if (!isDecided) settle(() => reject(new RejectedError()))
          },
        }
        const entry: Entry = {
          pending,
          start() {
            prepare(chosen).then(
              (ready) => {
                prepared = { value: ready.prepared }
                pending.statement = ready.statement
                show()
              },
              (error: unknown) => settle(() => reject(error)),
            )
          },
          cancel: (error) => settle(() => reject(error)),
        }
        queue.push(entry)
        if (queue.length === 1) entry.start()
        show()
      })
    },
    cancel() {
      // In reverse order, so that no queued request starts.
      for (const entry of queue.toReversed()) entry.cancel(new AbortedError())
    },
    watch(next) {
      listener = next
      show()
    },
  }
}

/** The visitor rejected a request. */
export class RejectedError extends BaseError {
  override name = 'RejectedError'
  constructor() {
    super('User rejected the request.', { code: 'frame.rejected' })
  }
}

/** The page cancelled a request. @see spec §8.10.3 */
export class AbortedError extends BaseError {
  override name = 'AbortedError'
  constructor() {
    super('Request was aborted', { code: 'frame.aborted' })
  }
}

/** Too many requests wait. */
export class BusyError extends BaseError {
  override name = 'BusyError'
  constructor() {
    super('Too many requests are waiting. Answer them, then try again.', {
      code: 'frame.busy',
    })
  }
}
