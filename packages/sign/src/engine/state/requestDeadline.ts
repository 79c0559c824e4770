import type { PendingRequest } from '../../Session.ts'

/** Lifetime of a request without an expiry, in seconds. */
const requestLifetime = 900

/** Unix time in seconds when a received request expires. Its id is a time if it has no expiry. */
export function requestDeadline(id: number, { request }: PendingRequest['params']): number {
  return request.expiryTimestamp ?? Math.floor(id / 1_000_000) + requestLifetime
}
