import { BaseError } from '@gatefold/protocol'

/** The metadata or the image of an NFT cannot be shown. Its message is for visitors. */
export class NftError extends BaseError {
  override name = 'NftError'
  constructor(shortMessage: string, cause?: unknown) {
    super(shortMessage, {
      code: 'nft.unreadable',
      docsPath: 'docs/gateway.md#nfts',
      ...(cause !== undefined && { cause }),
    })
  }
}
