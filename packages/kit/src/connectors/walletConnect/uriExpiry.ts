import { limits } from '@gatefold/protocol'

/**
 * The time at which a URI counts as expired: ten seconds before it is four minutes old, or ten seconds
 * before its own expiry if that is sooner.
 *
 * @param parameters.createdAt - Unix time in ms
 * @param parameters.expiresAt - the URI's own expiry, Unix time in ms
 * @see spec §4.7, §9.1.1
 */
export function uriExpiry(parameters: { createdAt: number; expiresAt: number }): number {
  const { createdAt, expiresAt } = parameters
  return Math.min(createdAt + limits.pairingLifetimeMs, expiresAt) - limits.pairingExpiryMarginMs
}
