import { toError } from './errors.ts'
import type { Command, Outcome, Snapshot } from './engine/Engine.ts'

type Waiter = {
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  /** The engine has it: one that starts later can be asked for the answer. */
  asked: boolean
  collect: boolean
  pairingTopic: string | undefined
}

/**
 * Those of this tab who wait for a peer's answer. Which tab runs the engine does not matter, and may
 * change while they wait.
 */
export type Waiting = ReturnType<typeof createWaiting>

export function createWaiting(options: {
  run: (command: Command) => Promise<unknown>
  snapshot: () => Snapshot
}) {
  const { run, snapshot } = options
  const waiters = new Map<number, Waiter>()

  /** Said in passing; without an engine there is nobody to tell. */
  function tell(command: Command) {
    run(command).catch(() => undefined)
  }

  function take(id: number) {
    const waiter = waiters.get(id)
    waiters.delete(id)
    return waiter
  }

  return {
    /**
     * A promise that nobody needs to handle.
     *
     * @param options.collect - the engine keeps the answer until it is told that it arrived
     * @param options.pairingTopic - a session of this pairing is the answer, however it was told
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
      const onAbort = () => {
        take(id)?.reject(signal?.reason)
        tell({ type: 'abandon', id })
      }
      const promise = new Promise<unknown>((resolve, reject) => {
        waiters.set(id, {
          resolve,
          reject,
          asked: false,
          collect,
          pairingTopic,
        })
      }).finally(() => signal?.removeEventListener('abort', onAbort))
      promise.catch(() => undefined)
      signal?.addEventListener('abort', onAbort, { once: true })
      return promise as Promise<result>
    },

    asked(id: number) {
      const waiter = waiters.get(id)
      if (waiter) waiter.asked = true
    },

    settle(id: number, outcome: Outcome) {
      const waiter = take(id)
      if (!waiter) return
      if ('error' in outcome) waiter.reject(toError(outcome.error))
      else waiter.resolve(outcome.result)
      if (waiter.collect) tell({ type: 'collect', id })
    },

    fail(id: number, error: unknown) {
      take(id)?.reject(error)
    },

    /** The command was refused, and whoever gave it was told. */
    drop(id: number) {
      take(id)
    },

    /** Another tab runs the engine now; it may have heard the answer before this one listened. */
    askAgain() {
      for (const [id, { asked, pairingTopic, resolve }] of waiters) {
        if (!asked) continue
        const session = pairingTopic
          ? snapshot().sessions.find((session) => session.pairingTopic === pairingTopic)
          : undefined
        if (session) {
          waiters.delete(id)
          resolve(session)
        } else run({ type: 'resume', id }).catch((error: unknown) => take(id)?.reject(error))
      }
    },

    close(error: unknown) {
      for (const id of waiters.keys()) take(id)?.reject(error)
    },
  }
}
