import { BaseError } from '@gatefold/protocol'

/** Redis is unavailable, its URLs are wrong, or too few replicas have confirmed a write. */
export class RedisUnavailableError extends BaseError {
  override name = 'RedisUnavailableError'
  constructor(what: string, cause?: unknown) {
    super(what, { code: 'redis.unavailable', cause })
  }
}
