import { toError } from './errors.ts'
import type { Command, Outcome, Snapshot } from './engine/Engine.ts'
import type { Session } from './Session.ts'

type Waiter = {
  id: number
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  /** Whether an engine has run the command. If so, a later engine can resume it. */
  sent: boolean
  collect: boolean
  /** For a proposal: whether a session results from it. Otherwise always false. */
  isResult: (session: Session) => boolean
}

/** This tab's promises for responses from a peer. They survive a change of leader tab. */
export type PendingResponses = ReturnType<typeof createPendingResponses>

export function createPendingResponses(options: {
  run: (command: Command) => Promise<unknown>
  snapshot: () => Snapshot
}) {
  const { run, snapshot } = options
  /** One response may have several waiters: the request, and calls to `resume`. */
  const waiters = new Set<Waiter>()

  /** Best effort: without an engine, nothing needs to be notified. */
  function notify(command: Command) {
    run(command).catch(() => undefined)
  }

  const find = (id: number) => Array.from(waiters).filter((waiter) => waiter.id === id)

  function remove(id: number) {
    const removed = find(id)
    for (const waiter of removed) waiters.delete(waiter)
    return removed
  }

  function reject(id: number, error: unknown) {
    for (const waiter of remove(id)) waiter.reject(error)
  }

  return {
    /**
     * Adds a waiter. The caller may ignore the promise: its rejection never counts as unhandled.
     *
     * @param options.collect - the engine stores the response until this client has collected it
     * @param options.pairingTopic - a new session over this pairing also resolves the promise
     */
    wait<result>(
      id: number,
      options: {
        signal?: AbortSignal | undefined
        collect?: boolean | undefined
        pairingTopic?: string | undefined
      } = {},
    ): Promise<result> {
      const { signal, collect = false, pairingTopic } = options
      const before = new Set(snapshot().sessions.map(({ topic }) => topic))
      const isResult = (session: Session) =>
        session.pairingTopic === pairingTopic && !before.has(session.topic)
      let abort = () => {}
      const onAbort = () => abort()
      const promise = new Promise<unknown>((resolve, reject) => {
        const waiter = { id, resolve, reject, sent: false, collect, isResult }
        waiters.add(waiter)
        abort = () => {
          waiters.delete(waiter)
          reject(signal?.reason)
          if (find(id).length === 0) notify({ type: 'abort', id })
        }
      }).finally(() => signal?.removeEventListener('abort', onAbort))
      promise.catch(() => undefined)
      signal?.addEventListener('abort', onAbort, { once: true })
      return promise as Promise<result>
    },

    has: (id: number) => find(id).length > 0,

    markSent(id: number) {
      for (const waiter of find(id)) waiter.sent = true
    },

    resolve(id: number, outcome: Outcome) {
      const removed = remove(id)
      for (const waiter of removed)
        if ('error' in outcome) waiter.reject(toError(outcome.error))
        else waiter.resolve(outcome.result)
      if (removed.some(({ collect }) => collect)) notify({ type: 'collect', id })
    },

    reject,

    /** Removes waiters without settling them: the caller already has the error. */
    drop(id: number) {
      remove(id)
    },

    /**
     * Called when a new engine has started. The previous engine may have received a response without
     * emitting it to this tab.
     */
    resumeAll() {
      for (const waiter of waiters) {
        const { id, sent, isResult, resolve } = waiter
        if (!sent) continue
        const session = snapshot().sessions.find(isResult)
        if (session) {
          waiters.delete(waiter)
          resolve(session)
        } else run({ type: 'resume', id }).catch((error: unknown) => reject(id, error))
      }
    },

    close(error: unknown) {
      for (const { id } of waiters) reject(id, error)
    },
  }
}
