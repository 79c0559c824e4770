import * as v from 'valibot'
import { nftImageSizes } from '../limits/nfts.ts'
import { Caip2 } from './Caip2.ts'

/** The query of `GET /v1/account/{address}/nfts`. */
export const NftsQuery = v.object({
  chainId: Caip2,
  /** `nextCursor` of the previous page. */
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,15}\.0x[0-9a-f]{40}\.\d{1,78}$/, 'must be the nextCursor of a page'),
    ),
  ),
})

/** The query of `GET /v1/images/nft/{CAIP-19}`. */
export const NftImageQuery = v.object({
  /** Maximum width and height in pixels. */
  size: v.optional(v.picklist(nftImageSizes, `must be one of ${nftImageSizes.join(', ')}`), '256'),
  /**
   * Identifies the image URI in the metadata at the time when this URL was
   * created.
   */
  v: v.optional(v.string()),
})

/** The path of an NFT: the parts of its CAIP-19 id. */
export const NftPath = v.object({
  chain: v.string(),
  asset: v.pipe(
    v.string(),
    v.regex(
      /^erc(721|1155):0x[0-9a-f]{40}$/i,
      'must be erc721 or erc1155 with an address of 20 bytes',
    ),
  ),
  token: v.pipe(
    v.string(),
    v.regex(/^\d{1,78}$/, 'must be a whole number'),
    v.toBigint(),
    v.check((id) => id < 2n ** 256n, 'must be below 2^256'),
  ),
})

export type NftStandard = 'erc721' | 'erc1155'

/**
 * An NFT that an account owns. All texts are untrusted: show them only as plain
 * text.
 */
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
  /** A WebP image of at most 256 pixels; `&size=` selects another size. Absent without an image. */
  imageUrl?: string
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
