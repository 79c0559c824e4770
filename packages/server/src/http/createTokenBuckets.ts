import { LRUCache } from 'lru-cache'

type Bucket = { tokens: number; filledAt: number }

export type TokenBuckets = {
  /**
   * Takes tokens from the bucket of a key, all or none.
   *
   * @param cost - a cost above a full bucket takes the full bucket.
   * @returns 0 when granted, else the ms until a retry succeeds.
   */
  take(key: string, cost?: number): number
}

/**
 * Token buckets by key, in memory. An evicted key starts with a full bucket again.
 */
export function createTokenBuckets(options: {
  perSecond: number
  burst: number
  now: () => number
  maxKeys?: number
}): TokenBuckets {
  const { perSecond, burst, now, maxKeys = 100_000 } = options
  const buckets = new LRUCache<string, Bucket>({ max: maxKeys })
  return {
    take(key, cost = 1) {
      const time = now()
      let bucket = buckets.get(key)
      if (bucket) {
        bucket.tokens = Math.min(
          burst,
          bucket.tokens + ((time - bucket.filledAt) * perSecond) / 1000,
        )
        bucket.filledAt = time
      } else {
        bucket = { tokens: burst, filledAt: time }
        buckets.set(key, bucket)
      }
      const price = Math.min(cost, burst)
      if (bucket.tokens >= price) {
        bucket.tokens -= price
        return 0
      }
      return Math.ceil(((price - bucket.tokens) * 1000) / perSecond)
    },
  }
}
