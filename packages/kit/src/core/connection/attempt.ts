import type { BaseError, ChainNamespace } from '@gatefold/protocol'

import type { ConnectProgress } from './Connector.ts'

/** An attempt to connect, pending or ended. Removed from the state when it succeeds. */
export type Attempt = {
  /** 0 if the site created the URI itself; otherwise unique on the page. */
  id: number
  /** Whether it replaces a failed attempt. */
  isRetry?: boolean
  /** Undefined if the site created the URI itself (`manualWCControl`). */
  connectorId: string | undefined
  /** The requested chain family. If undefined, any family that the connector supports. */
  namespace: ChainNamespace.ChainNamespace | undefined
  /** `silent`: no response from the wallet for a minute. `expired`: the request expired unanswered. */
  status: 'waiting' | 'silent' | 'expired' | 'rejected' | 'failed'
  /** The URI to show, for wallets on this or another device. */
  progress?: ConnectProgress | undefined
  /** Why it ended. */
  error?: BaseError | undefined
}

/** Whether an attempt is still waiting for the wallet. */
export function isPending(status: Attempt['status']): status is 'waiting' | 'silent' {
  return status === 'waiting' || status === 'silent'
}

/**
 * Whether an attempt has a URI that has not expired, or is creating one. False unless its status is
 * `waiting`.
 *
 * @param now - Unix time in ms
 */
export function isUriUsable(attempt: Attempt | undefined, now: number): boolean {
  if (attempt?.status !== 'waiting') return false
  const { uri, expiresAt = 0 } = attempt.progress ?? {}
  return uri === undefined || now < expiresAt
}
