import { hash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'

type Bucket = { tokens: number; filledAt: number }

export type TokenBuckets = {
  /** Tokens in a full bucket. */
  burst: number
  /**
   * Takes tokens from a key's bucket, either all or none.
   *
   * @param cost - number of tokens; if it exceeds a full bucket, the full bucket is taken.
   * @returns 0 if granted, otherwise the ms until a retry succeeds.
   */
  take(key: string, cost?: number): number
  /** Takes tokens for work that is already done. The bucket may go into debt. */
  owe(key: string, cost: number): void
}

export type LocalTokenBuckets = TokenBuckets & {
  /**
   * Takes tokens until the key has used at least this many. The bucket may go into debt. Does nothing for a key
   * that has no bucket or shares one.
   */
  setUsed(key: string, tokens: number): void
}

/** Buckets that keys share while the table is full. */
const sharedBuckets = 1_024
/** Above the rounding errors of fractions of a token, so that a retry after the returned wait succeeds. */
const rounding = 1e-6

/**
 * Creates token buckets by key, in memory.
 *
 * A bucket is evicted only once it is full again, even if it was in debt, so
 * requests with many keys cannot reset a key's bucket. While the table holds
 * `maxKeys` buckets that are not full, other keys share {@link sharedBuckets}
 * buckets.
 *
 * @see docs/threats.md#open-proxy
 */
export function createTokenBuckets(options: {
  perSecond: number
  burst: number
  now: () => number
  maxKeys?: number
}): LocalTokenBuckets {
  const { perSecond, burst, now, maxKeys = 100_000 } = options
  const buckets = new LRUCache<string, Bucket>({ max: maxKeys })
  const shared = new Map<string, Bucket>()
  const salt = randomUUID()

  /** Whether the table has room, or its least recently used bucket is full again and can be evicted. */
  function hasRoom(time: number): boolean {
    if (buckets.size < maxKeys) return true
    const oldest = buckets.peek(buckets.rkeys().next().value!)!
    return tokensAt(oldest, time) >= burst
  }

  function find(key: string, time: number): Bucket {
    const known = buckets.get(key)
    if (known) return known
    const [table, name] = hasRoom(time) ? [buckets, key] : [shared, sharedName(key)]
    let bucket = table.get(name)
    if (!bucket) table.set(name, (bucket = { tokens: burst, filledAt: time }))
    return bucket
  }

  /** Selects a shared bucket. Uses a secret, so that a client cannot choose a key in another client's bucket. */
  function sharedName(key: string): string {
    const digest = hash('sha256', salt + key, 'buffer')
    return String(digest.readUInt32BE() % sharedBuckets)
  }

  function tokensAt({ tokens, filledAt }: Bucket, time: number): number {
    // A clock that was set back adds nothing, and takes nothing.
    const elapsedMs = Math.max(0, time - filledAt)
    return Math.min(burst, tokens + (elapsedMs * perSecond) / 1000)
  }

  function fill(bucket: Bucket, time: number) {
    bucket.tokens = tokensAt(bucket, time)
    bucket.filledAt = time
  }

  return {
    burst,

    take(key, cost = 1) {
      const time = now()
      const bucket = find(key, time)
      fill(bucket, time)
      const price = Math.min(cost, burst)
      if (bucket.tokens >= price - rounding) {
        bucket.tokens = Math.max(0, bucket.tokens - price)
        return 0
      }
      return Math.ceil(((price - bucket.tokens) * 1000) / perSecond)
    },

    owe(key, cost) {
      const time = now()
      const bucket = find(key, time)
      fill(bucket, time)
      bucket.tokens -= cost
    },

    setUsed(key, tokens) {
      const bucket = buckets.peek(key)
      if (!bucket) return
      fill(bucket, now())
      bucket.tokens = Math.min(bucket.tokens, burst - tokens)
    },
  }
}
