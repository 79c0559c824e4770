/** Failures within {@link windowMs} that open a breaker. */
const maxFailures = 5
const windowMs = 10_000
/** How long an open breaker keeps calls away before it lets one through to try. */
const openMs = 5_000

export type Breaker = {
  /** Whether a call may be made now. When half open, the call that asks first is the trial. */
  allows(): boolean
  succeeded(): void
  failed(): void
  /** A call that ended for a reason that says nothing about the upstream. */
  ended(): void
  isOpen(): boolean
}

/**
 * A circuit breaker: five failures in ten seconds keep calls away for five seconds, then one call
 * tries. @see threat model §6, upstream faults
 */
export function createBreaker(now: () => number): Breaker {
  let failures: number[] = []
  let openedAt: number | undefined
  let isTrying = false
  return {
    allows() {
      if (openedAt === undefined) return true
      if (isTrying || now() - openedAt < openMs) return false
      isTrying = true
      return true
    },
    succeeded() {
      failures = []
      openedAt = undefined
      isTrying = false
    },
    failed() {
      const time = now()
      failures = [...failures.filter((at) => time - at < windowMs), time]
      if (isTrying || failures.length >= maxFailures) openedAt = time
      isTrying = false
    },
    ended() {
      isTrying = false
    },
    isOpen: () => openedAt !== undefined,
  }
}
