import type { Clock } from '../SignClient.ts'

export type ManualClock = Clock & {
  /** Advances the time and runs due timers in order. */
  advance(ms: number): void
  /** Number of pending timers. */
  pending(): number
}

/**
 * Creates a clock that advances only when `advance` is called. @param startMs - Unix time in ms;
 * defaults to the real time
 */
export function createManualClock(startMs = Date.now()): ManualClock {
  let now = startMs
  const timers = new Set<{ at: number; run: () => void }>()

  function next(until: number) {
    return Array.from(timers)
      .filter(({ at }) => at <= until)
      .sort((a, b) => a.at - b.at)[0]
  }

  return {
    now: () => now,
    later(run, delayMs) {
      const timer = { at: now + delayMs, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(ms) {
      const until = now + ms
      for (let timer = next(until); timer; timer = next(until)) {
        timers.delete(timer)
        now = timer.at
        timer.run()
      }
      now = until
    },
    pending: () => timers.size,
  }
}
