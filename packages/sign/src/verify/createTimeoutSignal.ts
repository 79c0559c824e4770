import type { Clock } from '../SignClient.ts'

/**
 * A signal that aborts after a time, or when all is closed.
 *
 * @returns the signal, and what takes the timer back
 */
export function createTimeoutSignal(options: {
  clock: Clock
  closed: AbortSignal
  ms: number
  onLate: () => void
}): { signal: AbortSignal; stop: () => void } {
  const { clock, closed, ms, onLate } = options
  const controller = new AbortController()
  const abort = () => controller.abort()
  const cancel = clock.later(() => {
    onLate()
    abort()
  }, ms)
  closed.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    stop() {
      cancel()
      closed.removeEventListener('abort', abort)
    },
  }
}
