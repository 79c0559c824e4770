/**
 * Faults that only a wallet connected over the relay has, in addition to those of every demo wallet.
 */
export type PhoneFaults = {
  /** Chain ids for which sessions are settled, instead of the requested ones. */
  settleChains: 'requested' | readonly number[]
  /** Sends a second response, an error, to each request after its result. */
  answerTwice: boolean
}

/** A phone wallet without faults. */
export const noPhoneFaults: PhoneFaults = { settleChains: 'requested', answerTwice: false }
