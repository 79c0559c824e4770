/** The method that pushes a message to a client. */
export const relayPushMethod = 'irn_subscription'

/**
 * Tag, prompt and usual ttl of what the two `wc_` methods publish; they do not cross the wire.
 *
 * @see contract of the relay, 2.2
 */
export const relaySessionPublishes = {
  sessionProposal: { tag: 1100, prompt: true, ttlSeconds: 300 },
  sessionProposalResponse: { tag: 1101, prompt: false, ttlSeconds: 300 },
  sessionSettlementRequest: { tag: 1102, prompt: false, ttlSeconds: 300 },
} as const
