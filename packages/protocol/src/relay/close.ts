/**
 * WebSocket close codes of a relay. After `refused`, clients reconnect only to send requests. After any
 * other code, they first try to reconnect after about 100 ms.
 *
 * @see docs/contracts/relay.md#refusals-and-close-codes
 */
export const relayCloseCodes = {
  /** The client is refused. The close reason is one of {@link relayRefusals}. */
  refused: 3000,
  /** A planned restart. */
  restart: 1012,
  /** The client should reconnect later: it reads too slowly, exceeds a limit, or cannot be checked now. */
  tryAgain: 1013,
} as const

/**
 * Close reasons for refused clients. Official modals match the text of the first three, and show an
 * alert for each.
 */
export const relayRefusals = {
  originNotAllowed: 'Unauthorized: origin not allowed',
  invalidKey: 'Unauthorized: invalid key',
  jwtNotYetValid: 'JWT validation error: JWT Token is not yet valid',
  jwtExpired: 'JWT validation error: JWT Token is expired',
  jwtInvalid: 'JWT validation error: JWT Token is not valid',
  jwtMissing: 'JWT validation error: JWT Token is missing',
  jwtAudience: 'JWT validation error: JWT Token is for another audience',
} as const

export type RelayRefusal = keyof typeof relayRefusals
