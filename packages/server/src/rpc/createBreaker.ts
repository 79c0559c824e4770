/** Failures within {@link windowMs} that open a breaker. */
const maxFailures = 5
const windowMs = 10_000
/** How long an open breaker rejects calls before it lets one through as a trial. */
const openMs = 5_000

export type Breaker = {
  /** Whether a call may be made now. A half-open breaker allows one call, as a trial. */
  allows(): boolean
  succeeded(): void
  failed(): void
  /** Reports a call that ended for a reason unrelated to the upstream, such as the call's size or cost. */
  ended(): void
  isOpen(): boolean
}

/**
 * A circuit breaker: five failures in ten seconds open it for five seconds, then one trial call passes.
 *
 * @see docs/threats.md#upstream-faults
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
