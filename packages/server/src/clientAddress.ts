import type { Config } from './config.ts'

/** What says where a request comes from. */
export type Origin = {
  /** The `X-Forwarded-For` header. */
  forwardedFor: string | undefined
  /** The other end of the connection. */
  remoteAddress: string | undefined
}

/**
 * The address to count a request on. Behind n trusted proxies it is the n-th from the right of
 * `X-Forwarded-For`: what stands further left was written by the client.
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
