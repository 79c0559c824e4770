/**
 * WebSocket close codes of a relay. Clients stop after `refused` only; after any other code they
 * reconnect within 100 ms.
 *
 * @see docs/contracts/relay.md#refusals-and-close-codes
 */
export const relayCloseCodes = {
  /** The client is refused; the reason is one of {@link relayRefusals}. */
  refused: 3000,
  /** A planned restart. */
  restart: 1012,
  /** Try again later: the client reads too slowly, or the relay cannot check the client now. */
  tryAgain: 1013,
} as const

/**
 * Reasons of a refusal. Official modals match the first three by their text and show an alert for each.
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
