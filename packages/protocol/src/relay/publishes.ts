/** The method that pushes a message to a client. */
export const relayPushMethod = 'irn_subscription'

/**
 * Tag, prompt and default ttl of the messages that the two `wc_` methods publish; not on the wire.
 *
 * @see docs/contracts/relay.md#session-methods
 */
export const relaySessionPublishes = {
  sessionProposal: { tag: 1100, prompt: true, ttlSeconds: 300 },
  sessionProposalResponse: { tag: 1101, prompt: false, ttlSeconds: 300 },
  sessionSettlementRequest: { tag: 1102, prompt: false, ttlSeconds: 300 },
} as const

/**
 * Tags of invitations: messages for every client that subscribes before they expire, because a code may
 * be scanned with a second wallet. `wc_sessionPropose` (1100) and `wc_sessionAuthenticate` (1116).
 *
 * @see docs/contracts/relay.md#mailbox and #client-methods
 */
export const relayInvitationTags: readonly number[] = [1100, 1116]
