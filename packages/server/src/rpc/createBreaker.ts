/** Failures within {@link windowMs} after which the upstream is checked. */
const maxFailures = 5
const windowMs = 10_000
/** How long a breaker stays open until the upstream is checked again. */
const openMs = 5_000

export type Breaker = {
  /**
   * - `closed`: the upstream gets calls.
   * - `open`: it gets none.
   * - `due`: it gets none until a check succeeds, which may be made now.
   */
  state(): 'closed' | 'open' | 'due'
  /** Reports that a call failed. @returns whether the upstream must be checked */
  failed(): boolean
  /** Reports that the upstream responded to a call or a check. */
  succeeded(): void
  /** Reports that a check failed. */
  open(): void
}

/**
 * A circuit breaker: after five failures in ten seconds, the upstream is checked; a failed check opens the breaker for
 * five seconds, until the next check. Failures alone do not open it, because clients can cause them.
 *
 * @see docs/threats.md#abuse-of-the-circuit-breaker
 */
export function createBreaker(now: () => number): Breaker {
  let failures: number[] = []
  let openedAt: number | undefined
  return {
    state() {
      if (openedAt === undefined) return 'closed'
      return now() - openedAt < openMs ? 'open' : 'due'
    },
    failed() {
      const time = now()
      failures = [...failures.filter((at) => time - at < windowMs), time].slice(-maxFailures)
      return failures.length === maxFailures
    },
    succeeded() {
      failures = []
      openedAt = undefined
    },
    open() {
      failures = []
      openedAt = now()
    },
  }
}
