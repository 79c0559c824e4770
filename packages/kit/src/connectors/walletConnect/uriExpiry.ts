import { limits } from '@gatefold/protocol'

/**
 * From when a URI counts as expired: ten seconds before it is four minutes old, or before its own end.
 *
 * @param parameters.createdAt - Unix time in ms
 * @param parameters.expiresAt - the URI's own end, Unix time in ms
 * @see spec §4.7, §9.1.1
 */
export function uriExpiry(parameters: { createdAt: number; expiresAt: number }): number {
  const { createdAt, expiresAt } = parameters
  return Math.min(createdAt + limits.pairingLifetimeMs, expiresAt) - limits.pairingExpiryMarginMs
}
