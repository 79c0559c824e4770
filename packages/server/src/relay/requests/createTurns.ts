export type Turns = ReturnType<typeof createTurns>

/**
 * Runs expensive jobs in separate turns of the event loop, so that other clients are served between two jobs.
 *
 * @see docs/threats.md#cost-of-one-command
 */
export function createTurns() {
  let last: Promise<void> = Promise.resolve()
  return {
    /** Resolves in the next turn that has no job yet. */
    next(): Promise<void> {
      last = last.then(() => new Promise<void>((resolve) => setImmediate(resolve)))
      return last
    },
  }
}
