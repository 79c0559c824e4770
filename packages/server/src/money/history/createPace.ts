import { setTimeout as wait } from 'node:timers/promises'

/**
 * Limits the rate of calls: a caller waits until its calls fit into the rate. Up to one second's calls may be made at
 * once.
 *
 * @param clock - for tests; `now` is in ms and never goes back.
 * @returns a function that resolves when that many calls may be made.
 */
export function createPace(
  perSecond: number,
  clock: { now: () => number; wait: (ms: number) => Promise<unknown> } = {
    now: () => performance.now(),
    wait,
  },
): (calls: number) => Promise<void> {
  /** When all calls so far fit into the rate, in ms. */
  let freeAt = 0
  return async (calls) => {
    const time = clock.now()
    freeAt = Math.max(freeAt, time - 1_000) + (calls / perSecond) * 1_000
    if (freeAt > time) await clock.wait(freeAt - time)
  }
}
