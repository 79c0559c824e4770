import type { Clock } from './SignClient.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  later(run, delayMs) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}
