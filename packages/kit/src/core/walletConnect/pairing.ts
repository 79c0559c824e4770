import { limits } from '@gatefold/protocol'
import type { BaseError } from '@gatefold/protocol'

/**
 * A session the visitor is being offered, or was offered last.
 *
 * `starting`: the URI is being made. `ready`: it is on screen. `waiting`: an app was opened with it.
 * `expired`: it was not used in time and no new one was made by itself.
 */
export type Pairing = {
  /** One for each time the visitor is asked; a renewed URI keeps it. */
  id: number
  status: 'starting' | 'ready' | 'waiting' | 'expired' | 'rejected' | 'failed'
  /** The last one made; stays while it is renewed. */
  uri?: string | undefined
  /** Unix time in ms from which the URI counts as expired. @see spec §4.7 */
  expiresAt?: number | undefined
  /** The relay is out of reach and tried again. */
  offline?: boolean | undefined
  /** The app that was opened with the URI: asked again for signatures. */
  app?: { name: string; href: string } | undefined
  error?: BaseError | undefined
}

/**
 * From when a URI counts as expired: ten seconds before it is four minutes old, or before its own end.
 *
 * @param parameters.createdAt - Unix time in ms
 * @param parameters.goodUntil - Unix time in ms
 * @see spec §4.7, §9.1.1
 */
export function pairingExpiry(parameters: { createdAt: number; goodUntil: number }): number {
  const { createdAt, goodUntil } = parameters
  return Math.min(createdAt + limits.pairingLifetimeMs, goodUntil) - limits.pairingExpiryMarginMs
}

/** Whether a pairing's URI can still be offered. @param now - Unix time in ms */
export function isOnOffer(pairing: Pairing | undefined, now: number): boolean {
  if (!pairing) return false
  if (pairing.status === 'starting') return true
  return (
    (pairing.status === 'ready' || pairing.status === 'waiting') && now < (pairing.expiresAt ?? 0)
  )
}
