/** What can be wrong with a wallet that is reached over the relay, besides the faults of every wallet. */
export type PhoneFaults = {
  /** Chain ids a session is settled for, whatever was asked for and whatever the wallet knows. */
  settleChains: 'asked' | readonly number[]
  /** Answer each request, and then once more with an error. */
  answerTwice: boolean
}

/** A phone wallet with nothing wrong. */
export const noPhoneFaults: PhoneFaults = { settleChains: 'asked', answerTwice: false }
