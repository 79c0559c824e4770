/** Faults of a wallet that is connected over the relay, in addition to those of every demo wallet. */
export type PhoneFaults = {
  /** Chain ids to settle sessions for, instead of the requested ones. */
  settleChains: 'requested' | readonly number[]
  /** Sends an error for each request after its result. */
  answerTwice: boolean
}

/** A phone wallet without faults. */
export const noPhoneFaults: PhoneFaults = { settleChains: 'requested', answerTwice: false }
