import { limits } from '@gatefold/protocol'
import { BusyError } from './approval/createApprovals.ts'

/**
 * Creates a function that runs tasks one after another.
 *
 * @throws {BusyError} if too many tasks wait.
 */
export function createTurns(): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (run) => {
    if (waiting >= limits.frameQueueLength) throw new BusyError()
    waiting += 1
    const turn = last.then(run)
    last = turn.catch(() => {})
    try {
      return await turn
    } finally {
      waiting -= 1
    }
  }
}
