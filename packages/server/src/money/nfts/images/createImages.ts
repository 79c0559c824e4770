import { createHash } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import { LRUCache } from 'lru-cache'
import { SafeFetchError } from '../../../http/createSafeFetch.ts'
import { createSlots } from '../../../http/createSlots.ts'
import type { EvmChain } from '../../evm/createEvmChain.ts'
import type { Documents } from '../createDocuments.ts'
import type { MetadataReader } from '../createMetadata.ts'
import { NftError } from '../NftError.ts'
import { toAssetId, type NftToken } from '../NftToken.ts'
import type { Drawing } from './createDrawing.ts'

/**
 * A re-encoded image with the version of its source, or the reason why there is
 * none.
 */
export type NftImage = { bytes: Uint8Array<ArrayBuffer>; version: string } | { problem: string }

export type ImageRequest = {
  chain: EvmChain
  token: NftToken
  /** Maximum width and height in pixels. */
  size: number
  /** The address of the client; addresses get equal shares of the work. */
  address: string
}

export type NftImages = {
  /** Whether the image, or its failure, is cached. */
  has(request: ImageRequest): boolean
  /**
   * Loads and re-encodes the image. @throws {NoSlotError} if too much work is
   * waiting; if the chain cannot be read.
   */
  find(request: ImageRequest): Promise<NftImage>
}

/** Maximum size of the cached images, in bytes. */
const imageCacheBytes = 64 * 1024 * 1024
/**
 * Maximum number of images that are loaded concurrently. Each needs up to
 * `nftImageBytes` of memory.
 */
const imagesAtOnce = 8
/** Maximum number of images that are loaded concurrently for one address. */
const imagesPerAddress = 4
/** Maximum number of images that wait. */
const waitingLoads = 400
/** Maximum number of images that wait for one address. */
const waitingLoadsPerAddress = 100
/** Timeout of loading and re-encoding an image, including its wait. */
const imageMs = 20_000

const imageTypes = ['image/*', 'application/octet-stream', 'binary/octet-stream']

/** Creates a cached source of the images of NFTs. Concurrent requests for an image share one load. */
export function createImages(options: {
  metadata: MetadataReader
  documents: Documents
  drawing: Drawing
  now: () => number
}): NftImages {
  const { metadata, documents, drawing, now } = options
  const slots = createSlots({
    all: imagesAtOnce,
    perKey: imagesPerAddress,
    waiting: waitingLoads,
    waitingPerKey: waitingLoadsPerAddress,
  })
  const cache = new LRUCache<string, NftImage, ImageRequest>({
    maxSize: imageCacheBytes,
    sizeCalculation: (image, key) => 500 + key.length + ('bytes' in image ? image.bytes.length : 0),
    ttl: limits.nftMetadataCacheMs,
    ttlResolution: 0,
    perf: { now },
    fetchMethod: async (_key, _old, { context: request, options: entry }) => {
      const image = await slots.run(request.address, AbortSignal.timeout(imageMs), async () =>
        load(request),
      )
      if ('problem' in image) entry.ttl = limits.nftFailureCacheMs
      return image
    },
  })

  async function load({ chain, token, size }: ImageRequest): Promise<NftImage> {
    const result = await metadata.find(chain, token)
    if ('problem' in result) return result
    const { image } = result.metadata
    if (image === undefined) return { problem: 'The NFT has no image.' }
    try {
      const { bytes } = await documents.load(image, {
        types: imageTypes,
        maxBytes: limits.nftImageBytes,
      })
      return { bytes: await drawing.draw(bytes, size), version: toVersion(image) }
    } catch (error) {
      if (!(error instanceof NftError || error instanceof SafeFetchError)) throw error
      return { problem: error.shortMessage }
    }
  }

  const keyOf = ({ chain, token, size }: ImageRequest) => `${toAssetId(chain.id, token)}/${size}`
  return {
    has: (request) => cache.has(keyOf(request)),
    async find(request) {
      const image = await cache.fetch(keyOf(request), { context: request })
      return image!
    },
  }
}

/** Identifies the source of an image: each URI is a separate version. */
export function toVersion(uri: string): string {
  return createHash('sha256').update(uri).digest('base64url').slice(0, 16)
}
