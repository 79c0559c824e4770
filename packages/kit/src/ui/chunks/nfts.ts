/** The lazy chunk of the NFT views. */
export { Nft } from '../views/nfts/Nft.tsx'
export { NftGrid } from '../views/nfts/NftGrid.tsx'
