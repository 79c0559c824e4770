import { NftImageQuery, NftPath, type NftStandard } from '@gatefold/protocol/gateway'
import type { Address } from 'viem'
import { addressOf, limit } from '../../../http/access.ts'
import type { Handler } from '../../../http/Role.ts'
import { publicHeaders } from '../../../http/answers.ts'
import { check, readQuery } from '../../../http/input.ts'
import type { MoneyContext } from '../../context.ts'
import { refuse, requestCost, requireChain } from '../../requests.ts'
import type { Nfts } from '../createNfts.ts'
import type { ImageRequest, NftImage } from './createImages.ts'

/** How long clients cache an image whose URL has no version, in seconds. */
const unversionedSeconds = 300

/**
 * `GET /v1/images/nft/{CAIP-19}`: the image of an NFT, re-encoded as WebP. The
 * route takes an NFT, not a URL, so it is not an open proxy. Any page may show
 * these images, so no project is needed.
 *
 * @see docs/gateway.md#nfts
 */
export function getNftImage(context: MoneyContext, { images }: Pick<Nfts, 'images'>): Handler {
  return async (c) => {
    const path = check(NftPath, c.req.param(), 'path')
    if (path.reasons) return refuse(400, path.reasons)
    const query = check(NftImageQuery, readQuery(c), 'query')
    if (query.reasons) return refuse(400, query.reasons)
    const asset = path.value.asset.toLowerCase()
    const standard: NftStandard = asset.startsWith('erc721:') ? 'erc721' : 'erc1155'
    const contract = asset.slice(-42) as Address
    const address = addressOf(context, c)
    const request: ImageRequest = {
      chain: requireChain(context, path.value.chain, 'chain'),
      token: { standard, contract, tokenId: path.value.token },
      size: Number(query.value.size),
      address,
    }
    const limited = images.has(request)
      ? undefined
      : limit(context, 'address', address, requestCost)
    if (limited) return limited
    return respond(await images.find(request), query.value.v)
  }
}

function respond(image: NftImage, version: string | undefined): Response {
  if ('problem' in image) return refuse(404, { field: 'image', description: image.problem })
  const isCurrent = version === image.version
  return new Response(image.bytes, {
    headers: {
      ...publicHeaders,
      'content-type': 'image/webp',
      'cache-control': isCurrent
        ? 'public, max-age=31536000, immutable'
        : `public, max-age=${unversionedSeconds}`,
    },
  })
}
