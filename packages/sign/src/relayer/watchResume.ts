import type { Clock } from '../SignClient.ts'

const tickMs = 5_000
/** A timer that comes this late slept with the machine. */
const sleepMs = 15_000

/**
 * Calls `onResume` when the network or the page is back: `online`, a page shown or restored, a machine
 * that slept. Calls `onTick` every 5 s. @see spec §9.10.3
 *
 * @returns what ends it
 */
export function watchResume(options: {
  clock: Clock
  onResume: () => void
  onTick: () => void
}): () => void {
  const { clock, onResume, onTick } = options
  const ended = new AbortController()
  const { signal } = ended
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
    ended.abort()
  }
}
