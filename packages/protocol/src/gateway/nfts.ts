import * as v from 'valibot'

/** The query of `GET /v1/account/{address}/nfts`. */
export const NftsQuery = v.object({
  chainId: v.pipe(
    v.string(),
    v.regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/, 'must be a CAIP-2 network id such as eip155:1'),
  ),
  /** `nextCursor` of the previous page. */
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,15}\.0x[0-9a-f]{40}\.\d{1,78}$/, 'must be the nextCursor of a page'),
    ),
  ),
})

export type NftStandard = 'erc721' | 'erc1155'

/** An NFT that an account owns. All texts come from strangers: show them as text only. */
export type Nft = {
  /** CAIP-19, such as `eip155:1/erc721:0x…/1`. */
  id: string
  standard: NftStandard
  /** CAIP-10 address of the contract. */
  contract: string
  /** Decimal. */
  tokenId: string
  /** How many of this token the account owns; `1` for ERC-721. */
  amount: string
  name: string
  /** The name of the collection; empty if its contract has none. */
  collection: string
  description?: string
  attributes: { name: string; value: string }[]
  /** Whether the texts look like advertising, and the operator has not listed the collection. */
  isSpam: boolean
  /** Why the metadata is missing. */
  problem?: string
}

/** The response to `GET /v1/account/{address}/nfts`. */
export type NftsResponse = {
  nfts: Nft[]
  /** The cursor of the next page, which can be empty; absent on the last page. */
  nextCursor?: string
  /** What could not be read in time. A later request may have it. */
  missing?: 'metadata'[]
}
