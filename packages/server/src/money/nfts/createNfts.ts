import type { Context } from '../../context.ts'
import { createSafeFetch } from '../../http/createSafeFetch.ts'
import { createCollections, type Collections } from './createCollections.ts'
import { createDocuments } from './createDocuments.ts'
import { createHoldings, type Holdings } from './createHoldings.ts'
import { createMetadata, type MetadataReader } from './createMetadata.ts'

/** Services of the NFT routes. */
export type Nfts = { holdings: Holdings; metadata: MetadataReader; collections: Collections }

export function createNfts(options: {
  config: Pick<Context['config'], 'ipfsGateway' | 'arweaveGateway' | 'privateHosts'>
  now: () => number
}): Nfts {
  const { config, now } = options
  const { ipfsGateway, arweaveGateway, privateHosts } = config
  const safeFetch = createSafeFetch({ privateHosts })
  const documents = createDocuments({ safeFetch, ipfsGateway, arweaveGateway })
  return {
    holdings: createHoldings({ now }),
    metadata: createMetadata({ documents, now }),
    collections: createCollections(),
  }
}
