import type { Reason } from './Session.ts'
import { isText } from './validation/shapes.ts'

/** The protocol's reasons, by their official names. @see docs/contracts/relay.md#reason-codes */
export const reasons = {
  INVALID_METHOD: { code: 1001, message: 'Invalid method.' },
  INVALID_EVENT: { code: 1002, message: 'Invalid event.' },
  INVALID_UPDATE_REQUEST: { code: 1003, message: 'Invalid update request.' },
  INVALID_EXTEND_REQUEST: { code: 1004, message: 'Invalid extend request.' },
  INVALID_SESSION_SETTLE_REQUEST: { code: 1005, message: 'Invalid session settle request.' },
  UNAUTHORIZED_METHOD: { code: 3001, message: 'Unauthorized method.' },
  UNAUTHORIZED_EVENT: { code: 3002, message: 'Unauthorized event.' },
  UNAUTHORIZED_UPDATE_REQUEST: { code: 3003, message: 'Unauthorized update request.' },
  UNAUTHORIZED_EXTEND_REQUEST: { code: 3004, message: 'Unauthorized extend request.' },
  UNAUTHORIZED_CHAIN: { code: 3005, message: 'Unauthorized chain.' },
  USER_REJECTED: { code: 5000, message: 'User rejected.' },
  USER_REJECTED_CHAINS: { code: 5001, message: 'User rejected chains.' },
  USER_REJECTED_METHODS: { code: 5002, message: 'User rejected methods.' },
  USER_REJECTED_EVENTS: { code: 5003, message: 'User rejected events.' },
  UNSUPPORTED_CHAINS: { code: 5100, message: 'Unsupported chains.' },
  UNSUPPORTED_METHODS: { code: 5101, message: 'Unsupported methods.' },
  UNSUPPORTED_EVENTS: { code: 5102, message: 'Unsupported events.' },
  UNSUPPORTED_ACCOUNTS: { code: 5103, message: 'Unsupported accounts.' },
  UNSUPPORTED_NAMESPACE_KEY: { code: 5104, message: 'Unsupported namespace key.' },
  USER_DISCONNECTED: { code: 6000, message: 'User disconnected.' },
  SESSION_SETTLEMENT_FAILED: { code: 7000, message: 'Session settlement failed.' },
  NO_SESSION: { code: 7001, message: 'No session.' },
  SESSION_REQUEST_EXPIRED: { code: 8000, message: 'Session request expired.' },
  WC_METHOD_UNSUPPORTED: { code: 10001, message: 'Unsupported wc_ method.' },
} as const satisfies Record<string, Reason>

export type ReasonKey = keyof typeof reasons

/**
 * Returns a reason for `reject`, `disconnect` or an error response.
 *
 * @param context - appended to the message, as in `Unsupported methods. eth_sign`
 */
export function getReason(key: ReasonKey, context?: string): Reason {
  const { code, message } = reasons[key]
  return { code, message: context ? `${message} ${context}` : message }
}

/**
 * Normalizes a peer's error. Official clients may send an `Error`, which serializes to `{}`.
 *
 * @returns the reason; its code is -32000, JSON-RPC's first server error, if the peer sent none
 */
export function readReason(error: unknown): Reason {
  const { code, message, data } = Object(error) as Record<string, unknown>
  const number = Number(code)
  return {
    code: Number.isSafeInteger(number) && number !== 0 ? number : -32_000,
    message: [message, error].find(isText) ?? 'No reason was given.',
    ...(typeof data === 'string' && { data }),
  }
}
