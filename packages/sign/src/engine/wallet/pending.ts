import type { Reason } from '../../Session.ts'

/** Maximum number of pending requests on a topic. */
const pendingRequests = 100

/** Maximum total length of the pending requests on a topic, in characters of JSON. */
const pendingCharacters = 2_097_152

/** @see EIP-1474, “Limit exceeded” */
const tooManyPending: Reason = { code: -32_005, message: 'Too many pending requests.' }

/**
 * Checks the limits on pending requests. They limit the storage that a peer can fill, because each request is
 * stored until the wallet responds or the request expires.
 *
 * @param pending - the pending requests on the same topic
 * @param text - the new request as JSON
 * @returns the reason to reject the new request; undefined if it is within the limits
 */
export function findExcess(pending: readonly unknown[], text: string): Reason | undefined {
  const isFull =
    pending.length >= pendingRequests ||
    JSON.stringify(pending).length + text.length > pendingCharacters
  return isFull ? tooManyPending : undefined
}
