import type { HttpContext } from '../../../http/access.ts'
import type { EvmChain } from '../../evm/createEvmChain.ts'
import { originOf } from '../../requests.ts'
import { toAssetId, type NftToken } from '../NftToken.ts'
import { toVersion } from './createImages.ts'

/** The URL of the image of an NFT on this server. @param image - the URI in the NFT's metadata */
export function toImageUrl(
  c: HttpContext,
  chain: EvmChain,
  token: NftToken,
  image: string,
): string {
  return `${originOf(c)}/v1/images/nft/${toAssetId(chain.id, token)}?v=${toVersion(image)}`
}
