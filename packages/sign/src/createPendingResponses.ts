import { toError } from './errors.ts'
import type { Command, Outcome, Snapshot } from './engine/Engine.ts'
import type { Session } from './Session.ts'

type Waiter = {
  id: number
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  /** The engine has it: one that starts later can be asked for the answer. */
  asked: boolean
  collect: boolean
  /** Whether a session is the answer, however it was told. */
  isAnswer: (session: Session) => boolean
}

/**
 * Those of this tab who wait for a peer's answer. Which tab runs the engine does not matter, and may
 * change while they wait.
 */
export type PendingResponses = ReturnType<typeof createPendingResponses>

export function createPendingResponses(options: {
  run: (command: Command) => Promise<unknown>
  snapshot: () => Snapshot
}) {
  const { run, snapshot } = options
  /** Several may wait for one answer: who asked, and who resumes it. */
  const waiters = new Set<Waiter>()

  /** Said in passing; without an engine there is nobody to tell. */
  function tell(command: Command) {
    run(command).catch(() => undefined)
  }

  const find = (id: number) => Array.from(waiters).filter((waiter) => waiter.id === id)

  function take(id: number) {
    const taken = find(id)
    for (const waiter of taken) waiters.delete(waiter)
    return taken
  }

  function fail(id: number, error: unknown) {
    for (const { reject } of take(id)) reject(error)
  }

  return {
    /**
     * A promise that nobody needs to handle.
     *
     * @param options.collect - the engine keeps the answer until it is told that it arrived
     * @param options.pairingTopic - a new session of this pairing is the answer, however it was told
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
      const isAnswer = (session: Session) =>
        session.pairingTopic === pairingTopic && !before.has(session.topic)
      let giveUp = () => {}
      const onAbort = () => giveUp()
      const promise = new Promise<unknown>((resolve, reject) => {
        const waiter = { id, resolve, reject, asked: false, collect, isAnswer }
        waiters.add(waiter)
        giveUp = () => {
          waiters.delete(waiter)
          reject(signal?.reason)
          if (find(id).length === 0) tell({ type: 'abandon', id })
        }
      }).finally(() => signal?.removeEventListener('abort', onAbort))
      promise.catch(() => undefined)
      signal?.addEventListener('abort', onAbort, { once: true })
      return promise as Promise<result>
    },

    /** Whether somebody here waits for the answer. */
    has: (id: number) => find(id).length > 0,

    asked(id: number) {
      for (const waiter of find(id)) waiter.asked = true
    },

    settle(id: number, outcome: Outcome) {
      const taken = take(id)
      for (const { resolve, reject } of taken)
        if ('error' in outcome) reject(toError(outcome.error))
        else resolve(outcome.result)
      if (taken.some(({ collect }) => collect)) tell({ type: 'collect', id })
    },

    fail,

    /** The command was refused, and whoever gave it was told. */
    drop(id: number) {
      take(id)
    },

    /** Another tab runs the engine now; it may have heard the answer before this one listened. */
    askAgain() {
      for (const waiter of waiters) {
        const { id, asked, isAnswer, resolve } = waiter
        if (!asked) continue
        const session = snapshot().sessions.find(isAnswer)
        if (session) {
          waiters.delete(waiter)
          resolve(session)
        } else run({ type: 'resume', id }).catch((error: unknown) => fail(id, error))
      }
    },

    close(error: unknown) {
      for (const { id } of waiters) fail(id, error)
    },
  }
}
