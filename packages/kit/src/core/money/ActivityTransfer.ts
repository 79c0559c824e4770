/** Tokens or an NFT that a transaction moved. */
export type Transfer = {
  /** `self` also for an approval. */
  direction: 'in' | 'out' | 'self'
  /** The token's symbol or the NFT's name. */
  name: string
  /** The amount in whole tokens, as a decimal number. */
  amount: string
  /** Whether it is an NFT. */
  isNft: boolean
  /** URL of the picture, on the gateway. */
  image: string | undefined
}
