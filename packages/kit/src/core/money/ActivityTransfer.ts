/** Tokens or an NFT that a transaction moved. */
export type Transfer = {
  /** `self` for an approval too. */
  direction: 'in' | 'out' | 'self'
  /** The token's symbol or the NFT's name. */
  name: string
  /** The amount in whole tokens, as a decimal number. */
  amount: string
  /** Whether it is an NFT. */
  isNft: boolean
  /** URL of the picture, on the gateway. */
  image: string | undefined
  /**
   * Its value when the transaction was included in a block, in
   * `ActivityPage.currency`, as a decimal number; undefined without a price of
   * that time, and on test networks.
   */
  value?: string | undefined
}

/** Whether a transaction removes an approval: it approves an amount of zero. */
export function isRevocation(activity: { type: string; transfers: readonly Transfer[] }): boolean {
  const [approved] = activity.transfers
  return activity.type === 'approve' && !approved?.isNft && !/[1-9]/.test(approved?.amount ?? '')
}
