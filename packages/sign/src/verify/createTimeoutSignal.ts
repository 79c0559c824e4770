import type { Clock } from '../SignClient.ts'

/**
 * Creates a signal that aborts after a timeout, or when `closed` aborts.
 *
 * @returns the signal, and a function that cancels the timer
 */
export function createTimeoutSignal(options: {
  clock: Clock
  closed: AbortSignal
  ms: number
  onTimeout: () => void
}): { signal: AbortSignal; clear: () => void } {
  const { clock, closed, ms, onTimeout } = options
  const controller = new AbortController()
  const abort = () => controller.abort()
  const cancel = clock.later(() => {
    onTimeout()
    abort()
  }, ms)
  closed.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    clear() {
      cancel()
      closed.removeEventListener('abort', abort)
    },
  }
}
