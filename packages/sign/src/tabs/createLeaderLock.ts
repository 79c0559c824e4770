import type { TabPlatform } from './TabCoordinator.ts'

export type LeaderLock = {
  /** Takes the lock from a tab that is frozen, if need be; in a hidden page, once that is shown. */
  take(isNeeded: () => boolean): Promise<void>
  /** Gives the lock up, or stops waiting for it. */
  release(): void
}

/**
 * Waits for a lock and holds it until `release`.
 *
 * @param options.onHeld - the lock is here; `isHeld` says whether it still is. Also called where the page
 * may use no locks (a frame without storage): then nobody else can hold it either.
 * @param options.onLost - another tab took it. It is waited for again.
 * @see https://w3c.github.io/web-locks/
 */
export function createLeaderLock(options: {
  locks: TabPlatform['locks']
  name: string
  onHeld: (isHeld: () => boolean) => Promise<void>
  onLost: () => Promise<void>
}): LeaderLock {
  const { locks, name, onHeld, onLost } = options
  let attempt = wait()
  let released = false

  function wait(steal = false) {
    const waiting = new AbortController()
    // Not Promise.withResolvers: Safari has it since 17.4 only.
    let release = () => {}
    const done = new Promise<void>((resolve) => (release = resolve))
    let isHeld = false
    const mine = { waiting, release, isHeld: () => isHeld }
    locks
      .request(name, steal ? { steal } : { signal: waiting.signal }, async () => {
        isHeld = true
        await onHeld(() => isHeld)
        await done
        isHeld = false
      })
      .catch(async () => {
        // Taken by another tab; or given up by `release` or `take`, which is not a loss.
        const wasHeld = isHeld
        isHeld = false
        if (released || (!wasHeld && waiting.signal.aborted)) return
        if (!wasHeld) {
          isHeld = true
          await onHeld(() => isHeld)
          return
        }
        await onLost()
        if (!released && attempt === mine) attempt = wait()
      })
    return mine
  }

  return {
    async take(isNeeded) {
      const { signal } = attempt.waiting
      if (typeof document !== 'undefined' && document.visibilityState === 'hidden')
        await new Promise((resolve) =>
          document.addEventListener('visibilitychange', resolve, { once: true, signal }),
        )
      if (released || attempt.isHeld() || !isNeeded()) return
      attempt.waiting.abort()
      attempt = wait(true)
    },
    release() {
      released = true
      attempt.waiting.abort()
      attempt.release()
    },
  }
}
