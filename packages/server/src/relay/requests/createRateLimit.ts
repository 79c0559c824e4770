import { LRUCache } from 'lru-cache'

export type RateLimit = {
  /**
   * Books `cost` units for a key.
   *
   * @returns ms until its turn, 0 within the burst, at most `longestMs`. Later bookings of a key
   * never come earlier.
   */
  take(key: string, cost: number): number
}

/** An official client sends again what is not answered for 19.5 s, which would cost again. */
const longestMs = 10_000

/**
 * A rate limit that delays instead of refusing (GCRA). Kept in this process.
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
  /** When everything booked so far is paid for. */
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
