/**
 * Reasons for which the request may be to blame: it or its response is too large, also for the time it has, or the
 * node rejects its form.
 */
const requestFaults = new Set([
  'too_large',
  'no_room',
  'slow_body',
  'status_400',
  'status_405',
  'status_413',
  'status_414',
  'status_415',
  'status_422',
  'status_431',
])

/** An upstream did not send a usable response. `reason` is an identifier for logs and metrics. */
export class UpstreamError extends Error {
  override name = 'UpstreamError'
  readonly reason: string
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }

  /** Whether the request itself can cause this error, so that the upstream may be healthy. */
  get isRequestFault(): boolean {
    return requestFaults.has(this.reason)
  }
}
