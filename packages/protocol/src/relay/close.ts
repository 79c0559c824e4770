/**
 * WebSocket close codes of a relay. Clients give up on `refused` alone; after any other they come
 * back within 100 ms.
 *
 * @see docs/contracts/relay.md#refusals-and-close-codes
 */
export const relayCloseCodes = {
  /** Not welcome; the reason is one of {@link relayRefusals}. */
  refused: 3000,
  /** A planned restart. */
  restart: 1012,
  /** Try again later: the client reads too slowly, or the relay cannot decide now. */
  tryAgain: 1013,
} as const

/**
 * Texts of a refusal. Official modals find the first three by their words and show an alert of
 * their own for each.
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
