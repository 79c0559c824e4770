/** Faults of a wallet that is reached over the relay, besides those of every demo wallet. */
export type PhoneFaults = {
  /** Chain ids to settle a session for, in place of the requested ones. */
  settleChains: 'requested' | readonly number[]
  /** Answers each request, then sends an error for it too. */
  answerTwice: boolean
}

/** A phone wallet without faults. */
export const noPhoneFaults: PhoneFaults = { settleChains: 'requested', answerTwice: false }
