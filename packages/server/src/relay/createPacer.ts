import { LRUCache } from 'lru-cache'

export type Pacer = {
  /**
   * Books `cost` units for a key.
   *
   * @returns ms until its turn, 0 within the burst. Later bookings of a key never come earlier.
   */
  take(key: string, cost: number): number
}

/**
 * A rate limit that delays instead of refusing (GCRA). Kept in this process.
 *
 * @see threat model, 6, “overload on publish”
 */
export function createPacer(options: {
  perSecond: number
  burst: number
  now: () => number
}): Pacer {
  const { perSecond, burst, now } = options
  const unitMs = 1000 / perSecond
  /** When everything booked so far is paid for. */
  const paidAt = new LRUCache<string, number>({ max: 100_000 })
  return {
    take(key, cost) {
      const time = now()
      const paid = Math.max(paidAt.get(key) ?? 0, time - burst * unitMs) + cost * unitMs
      paidAt.set(key, paid)
      return Math.max(0, Math.ceil(paid - time))
    },
  }
}
