import { LRUCache } from 'lru-cache'

export type RateLimit = {
  /**
   * Reserves `cost` units for a key.
   *
   * @returns ms to wait: 0 within the burst, at most `longestMs`. A later reservation of a key is never
   * due earlier.
   */
  take(key: string, cost: number): number
}

/** Official clients repeat a request that is not answered within 19.5 s, which would cost twice. */
export const longestMs = 10_000

/**
 * A rate limit that delays instead of refusing (generic cell rate algorithm), for this process.
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
  /** When the units reserved so far are replenished. */
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
