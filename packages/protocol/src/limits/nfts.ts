/** Maximum time for fetching one document of an NFT, with all redirects. @see docs/threats.md#requests-to-other-hosts */
export const nftFetchMs = 5_000
/** Maximum number of redirects that a fetch follows. @see docs/threats.md#requests-to-other-hosts */
export const nftRedirects = 3
