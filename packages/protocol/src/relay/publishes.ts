/** The method that pushes a message to a client. */
export const relayPushMethod = 'irn_subscription'

/**
 * Tag, prompt flag and default ttl of the messages that `wc_proposeSession` and `wc_approveSession`
 * publish. The requests contain neither tag nor prompt flag.
 *
 * @see docs/contracts/relay.md#session-methods
 */
export const relaySessionPublishes = {
  sessionProposal: { tag: 1100, prompt: true, ttlSeconds: 300 },
  sessionProposalResponse: { tag: 1101, prompt: false, ttlSeconds: 300 },
  sessionSettlementRequest: { tag: 1102, prompt: false, ttlSeconds: 300 },
} as const

/**
 * Tags of invitations: `wc_sessionPropose` (1100) and `wc_sessionAuthenticate` (1116). Every client that
 * subscribes before an invitation expires receives it, because a second wallet may scan the same code.
 *
 * @see docs/contracts/relay.md#mailbox and #client-methods
 */
export const relayInvitationTags: readonly number[] = [1100, 1116]
