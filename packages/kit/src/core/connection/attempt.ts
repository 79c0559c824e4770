import type { BaseError, ChainNamespace } from '@gatefold/protocol'

import type { ConnectProgress } from './Connector.ts'

/**
 * The visitor's try to connect: pending, or how the last one ended. A successful one is removed.
 *
 * `silent`: the wallet has shown no sign for a minute. `expired`: the request ran out unanswered.
 */
export type Attempt = {
  /** Increases with each attempt of the instance. */
  id: number
  /** Undefined where the site made the URI itself. @see spec §2.6.2 manualWCControl */
  connectorId: string | undefined
  /** The chain family asked for; undefined for any that the connector serves. */
  namespace: ChainNamespace.ChainNamespace | undefined
  status: 'waiting' | 'silent' | 'expired' | 'rejected' | 'failed'
  progress?: ConnectProgress | undefined
  error?: BaseError | undefined
}

/** Whether an attempt still waits for the wallet. */
export function isPending(attempt: Attempt | undefined): boolean {
  return attempt?.status === 'waiting' || attempt?.status === 'silent'
}

/**
 * Whether an attempt has a URI that can be shown, or is making one.
 *
 * @param now - Unix time in ms
 */
export function isUriUsable(attempt: Attempt | undefined, now: number): boolean {
  if (attempt?.status !== 'waiting') return false
  const { uri, expiresAt = 0 } = attempt.progress ?? {}
  return uri === undefined || now < expiresAt
}
