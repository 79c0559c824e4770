import type { Clock } from '../SignClient.ts'

export type ManualClock = Clock & {
  /** Runs what is due, in its order. */
  advance(ms: number): void
  /** Timers that wait. */
  pending(): number
}

/** Time that stands until it is moved. @param startMs - Unix time in ms; the real one unless told */
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
