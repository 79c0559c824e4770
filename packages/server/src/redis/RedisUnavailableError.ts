import { BaseError } from '@gatefold/protocol'

/** Redis did not answer, or not enough of its replicas did. */
export class RedisUnavailableError extends BaseError {
  override name = 'RedisUnavailableError'
  constructor(what: string, cause?: unknown) {
    super(what, { code: 'redis.unavailable', cause })
  }
}
