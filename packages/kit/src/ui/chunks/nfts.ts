/** The lazy chunk of the views of an account's NFTs. */
export { Nft } from '../views/nfts/Nft.tsx'
export { NftGrid } from '../views/nfts/NftGrid.tsx'
