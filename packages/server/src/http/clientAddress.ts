import type { Config } from '../config.ts'

/** The parts of a request that its address is read from. */
export type Origin = {
  /** The `X-Forwarded-For` header. */
  forwardedFor: string | undefined
  /** Peer of the connection. */
  remoteAddress: string | undefined
}

/**
 * The address whose rate limit applies to a request. With n trusted proxies it is the n-th from the right
 * of `X-Forwarded-For`: the client may have written entries further left.
 */
export function clientAddress(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  { forwardedFor, remoteAddress }: Origin,
): string {
  if (trustedProxies > 0) {
    const address = forwardedFor?.split(',').at(-trustedProxies)?.trim()
    if (address) return address
  }
  return remoteAddress ?? 'unknown'
}
