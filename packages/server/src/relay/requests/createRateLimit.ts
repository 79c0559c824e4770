import { LRUCache } from 'lru-cache'

export type RateLimit = {
  /**
   * Reserves `cost` units for a key.
   *
   * @returns how many ms to wait: 0 within the burst, and at most `longestMs`. A later reservation for a
   * key is never due earlier.
   */
  take(key: string, cost: number): number
}

/**
 * Maximum delay. Official clients repeat a request that has no response after 19.5 s, and would be charged
 * again.
 */
export const longestMs = 10_000

/**
 * A rate limit, per process, that delays requests instead of refusing them (generic cell rate algorithm).
 *
 * @see docs/threats.md#overload
 */
export function createRateLimit(options: {
  perSecond: number
  burst: number
  now: () => number
}): RateLimit {
  const { perSecond, burst, now } = options
  const unitMs = 1000 / perSecond
  /** The time at which the reserved units of a key are replenished. */
  const paidAt = new LRUCache<string, number>({ max: 100_000 })
  return {
    take(key, cost) {
      const time = now()
      const paid = Math.max(paidAt.get(key) ?? -Infinity, time - burst * unitMs) + cost * unitMs
      const turn = Math.min(paid, time + longestMs)
      paidAt.set(key, turn)
      return Math.max(0, Math.ceil(turn - time))
    },
  }
}
