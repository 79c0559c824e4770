import { LRUCache } from 'lru-cache'

export type RateLimit = {
  /**
   * Reserves `cost` units for a key, unless the key's debt is already `maxMs` or more. The debt is the delay
   * in ms that would return the key to its rate.
   *
   * @returns the new debt: 0 within the burst, `Infinity` if nothing was reserved.
   */
  take(key: string, cost: number, maxMs: number): number
}

/**
 * Maximum delay of a request, in ms. Official clients send a request again after 19.5 s without a response, and each
 * repeat would be charged.
 */
export const longestMs = 10_000

/** The debt in ms at which a client's requests are refused. */
export const maxOwedMs = 20_000

/**
 * Creates a rate limit for one process. It delays requests before it refuses them (generic cell rate algorithm).
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
  /** The time at which a key's debt is paid; in the past while part of the burst is left. */
  const paidAt = new LRUCache<string, number>({ max: 100_000 })
  return {
    take(key, cost, maxMs) {
      const time = now()
      const before = Math.max(paidAt.get(key) ?? -Infinity, time - burst * unitMs)
      if (before - time >= maxMs) return Infinity
      const paid = before + cost * unitMs
      paidAt.set(key, paid)
      return Math.max(0, Math.ceil(paid - time))
    },
  }
}
