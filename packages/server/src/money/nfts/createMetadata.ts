import { limits } from '@gatefold/protocol'
import { LRUCache } from 'lru-cache'
import { SafeFetchError } from '../../http/createSafeFetch.ts'
import { nftAbi } from '../evm/abis.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { readAny } from '../evm/readAny.ts'
import type { Documents } from './createDocuments.ts'
import { NftError } from './NftError.ts'
import { toAssetId, type NftToken } from './NftToken.ts'
import { parseMetadata, type Metadata } from './parseMetadata.ts'

/** Metadata, or why there is none. */
export type MetadataResult = { metadata: Metadata } | { problem: string }

export type MetadataReader = {
  /** Reads the metadata of a token. @throws if the chain cannot be read or the server is busy. */
  find(chain: EvmChain, token: NftToken): Promise<MetadataResult>
}

/** Maximum size of the cached metadata, in bytes, including embedded images. */
const cacheBytes = 32 * 1024 * 1024

const metadataTypes = [
  'application/json',
  'application/octet-stream',
  'binary/octet-stream',
  'text/json',
  'text/plain',
]

/** Creates a cached reader of the metadata of NFTs. Concurrent reads of a token share one. */
export function createMetadata(options: {
  documents: Documents
  now: () => number
}): MetadataReader {
  const { documents, now } = options
  const cache = new LRUCache<string, MetadataResult, [EvmChain, NftToken]>({
    maxSize: cacheBytes,
    sizeCalculation: (result, key) => 2 * (key.length + JSON.stringify(result).length),
    ttl: limits.nftMetadataCacheMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (_key, _old, { context: [chain, token], options: entry }) => {
      try {
        return { metadata: await read(chain, token) }
      } catch (error) {
        if (!(error instanceof NftError || error instanceof SafeFetchError)) throw error
        entry.ttl = limits.nftFailureCacheMs
        return { problem: error.shortMessage }
      }
    },
  })

  async function read(chain: EvmChain, token: NftToken): Promise<Metadata> {
    const { standard, contract: address, tokenId } = token
    const args = [tokenId] as const
    const uri =
      standard === 'erc721'
        ? await readAny(chain, { address, abi: nftAbi, functionName: 'tokenURI', args })
        : await readAny(chain, { address, abi: nftAbi, functionName: 'uri', args })
    if (!uri) throw new NftError('The contract has no metadata for this token.')
    const { bytes } = await documents.load(withId(uri.trim(), token), {
      types: metadataTypes,
      maxBytes: limits.nftMetadataBytes,
    })
    return parseMetadata(bytes)
  }

  return {
    async find(chain, token) {
      const result = await cache.fetch(toAssetId(chain.id, token), { context: [chain, token] })
      return result!
    },
  }
}

/** Replaces `{id}` in the URI of a token by its id: 64 hexadecimal digits. @see ERC-1155, metadata */
function withId(uri: string, { standard, tokenId }: NftToken): string {
  if (standard !== 'erc1155') return uri
  return uri.replaceAll('{id}', tokenId.toString(16).padStart(64, '0'))
}
