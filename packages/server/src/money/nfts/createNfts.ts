import type { Context } from '../../context.ts'
import type { History } from '../history/HistorySource.ts'
import { createSafeFetch } from '../../http/createSafeFetch.ts'
import { createCollections, type Collections } from './createCollections.ts'
import { createDocuments } from './createDocuments.ts'
import { createHoldings, type Holdings } from './createHoldings.ts'
import { createMetadata, type MetadataReader } from './createMetadata.ts'
import { createDrawing } from './images/createDrawing.ts'
import { createImages, type NftImages } from './images/createImages.ts'

/** Services of the NFT routes. */
export type Nfts = {
  holdings: Holdings
  metadata: MetadataReader
  collections: Collections
  images: NftImages
  close(): Promise<void>
}

export function createNfts(options: {
  config: Pick<Context['config'], 'ipfsGateway' | 'arweaveGateway' | 'privateHosts'>
  history: Pick<History, 'listNfts'>
  now: () => number
}): Nfts {
  const { config, history, now } = options
  const { ipfsGateway, arweaveGateway, privateHosts } = config
  const safeFetch = createSafeFetch({ privateHosts })
  const documents = createDocuments({ safeFetch, ipfsGateway, arweaveGateway })
  const metadata = createMetadata({ documents, now })
  const drawing = createDrawing()
  return {
    holdings: createHoldings({ history, now }),
    metadata,
    collections: createCollections({ now }),
    images: createImages({ metadata, documents, drawing, now }),
    close: async () => drawing.close(),
  }
}
