import type { Clock } from '../SignClient.ts'

const tickMs = 5_000
/** If more time than this passes between two ticks, in ms, the machine was suspended. */
const sleepMs = 15_000

/**
 * Calls `onResume` when the network changes, the page becomes visible or is restored, and after the
 * machine was suspended. Calls `onTick` every 5 s. @see spec §9.10.3
 *
 * @returns a function that stops watching
 */
export function watchResume(options: {
  clock: Clock
  onResume: () => void
  onTick: () => void
}): () => void {
  const { clock, onResume, onTick } = options
  const stopped = new AbortController()
  const { signal } = stopped
  if (typeof document !== 'undefined') {
    for (const name of ['online', 'offline', 'pageshow'])
      window.addEventListener(name, onResume, { signal })
    document.addEventListener(
      'visibilitychange',
      () => document.visibilityState === 'visible' && onResume(),
      { signal },
    )
  }

  let last = clock.now()
  let cancel = clock.later(tick, tickMs)
  function tick() {
    const now = clock.now()
    if (now - last > sleepMs) onResume()
    last = now
    cancel = clock.later(tick, tickMs)
    onTick()
  }
  return () => {
    cancel()
    stopped.abort()
  }
}
