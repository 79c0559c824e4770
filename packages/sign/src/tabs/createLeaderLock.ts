import type { TabPlatform } from './TabCoordinator.ts'

export type LeaderLock = {
  /** Steals the lock from a frozen tab, unless this tab already holds it. A hidden page first waits until it is visible. */
  steal(isNeeded: () => boolean): Promise<void>
  /** Releases the lock, or stops waiting for it. */
  release(): void
}

/**
 * Waits for a Web Lock and holds it until `release`.
 *
 * @param options.onHeld - called when the lock is held; `isHeld` returns whether it still is. Also called if
 * locks are not allowed (a frame without storage access), because then no other tab can hold the lock either.
 * @param options.onLost - called when another tab has stolen the lock, which is then requested again
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
    // Safari has supported Promise.withResolvers only since 17.4.
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
        // Stolen by another tab, aborted by `release` or `steal`, or not allowed.
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
    async steal(isNeeded) {
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
