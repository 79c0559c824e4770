/**
 * Maximum time for fetching one document of an NFT, including redirects, but not
 * the wait for other fetches. @see
 * docs/threats.md#requests-to-other-hosts
 */
export const nftFetchMs = 5_000
/** Maximum number of redirects that a fetch follows. @see docs/threats.md#requests-to-other-hosts */
export const nftRedirects = 3
/**
 * Maximum size of an NFT's metadata, decompressed, in bytes. @see
 * docs/threats.md#hostile-nfts
 */
export const nftMetadataBytes = 512 * 1024
/**
 * Maximum size of an NFT's image before it is re-encoded, in bytes. @see
 * docs/threats.md#images-of-nfts
 */
export const nftImageBytes = 8 * 1024 * 1024
/** Sizes of an NFT's image: its maximum width and height in pixels. */
export const nftImageSizes = ['64', '128', '256', '512'] as const
/** How long an NFT's metadata is cached. */
export const nftMetadataCacheMs = 60 * 60_000
/** How long a failure to read an NFT's metadata or image is cached. */
export const nftFailureCacheMs = 5 * 60_000
/** Maximum number of NFTs in one page of an account's NFTs. */
export const nftPageSize = 24
/** Maximum number of collections in the list of one chain. */
export const chainCollections = 100
/** Maximum number of token ids in the list of one collection. */
export const collectionTokens = 1_000
