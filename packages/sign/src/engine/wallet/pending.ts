import type { Reason } from '../../Session.ts'

/** Most requests of one topic that wait for the wallet's answer. */
const pendingRequests = 100

/** Most characters of them. */
const pendingCharacters = 2_097_152

/** The code of EIP-1474 for a request that exceeds a limit. */
const tooManyPending: Reason = { code: -32_005, message: 'Too many pending requests.' }

/**
 * Refuses a request of a peer that has too many, or too large ones, waiting already: each is stored until
 * it is answered or expires.
 *
 * @param pending - those of the same topic
 * @param text - the new request
 */
export function findExcess(pending: readonly unknown[], text: string): Reason | undefined {
  const isFull =
    pending.length >= pendingRequests ||
    JSON.stringify(pending).length + text.length > pendingCharacters
  return isFull ? tooManyPending : undefined
}
