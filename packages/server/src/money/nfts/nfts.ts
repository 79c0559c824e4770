import { limits } from '@gatefold/protocol'
import { EvmAddress, NftsQuery, type Nft, type NftsResponse } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import { addressOf, type HttpContext } from '../../http/access.ts'
import { keyOf } from '../chainData/ChainData.ts'
import type { MoneyContext } from '../context.ts'
import { createDeadline } from '../createDeadline.ts'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { handleQuery, json, RefusedError, requireChain, toCaip } from '../requests.ts'
import type { Holding } from './createHoldings.ts'
import type { MetadataResult } from './createMetadata.ts'
import type { Nfts } from './createNfts.ts'
import { toImageUrl } from './images/toImageUrl.ts'
import { isSpam } from './isSpam.ts'
import { toAssetId } from './NftToken.ts'

/**
 * `GET /v1/account/{address}/nfts`: a page of the NFTs that an account owns on
 * a chain. Metadata that takes too long is omitted and listed in `missing`; it
 * is still loaded for later requests.
 *
 * @see docs/gateway.md#nfts
 */
export function getNfts(context: MoneyContext, { holdings, metadata, collections }: Nfts) {
  return handleQuery(context, NftsQuery, async ({ chainId, cursor }, c, project) => {
    const account = v.safeParse(EvmAddress, c.req.param('address'))
    if (!account.success) throw new RefusedError('address', `address ${account.issues[0].message}`)
    const chain = requireChain(context, chainId)
    const payer = { address: addressOf(context, c), project: project.id }
    // So that later responses include NFTs outside the listed collections.
    void context.history.watch(chain.id, account.output, payer)
    const deadline = createDeadline(limits.moneyPartsMs)
    const page = await deadline.race(holdings.read(chain, account.output, cursor))
    const loaded = await Promise.all(
      page.holdings.map(async (holding) =>
        Promise.all([
          deadline.race(metadata.find(chain, holding)).catch(() => undefined),
          deadline.race(collections.nameOf(chain, holding.contract)).catch(() => undefined),
        ]),
      ),
    )
    deadline.end()
    const body: NftsResponse = {
      nfts: page.holdings.map((holding, index) => toNft(c, chain, holding, ...loaded[index]!)),
      ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
      ...(loaded.some(([result]) => !result) && { missing: ['metadata'] }),
    }
    return json(body)
  })
}

function toNft(
  c: HttpContext,
  chain: EvmChain,
  holding: Holding,
  result: MetadataResult | undefined,
  collection = '',
): Nft {
  const { standard, contract, tokenId, amount } = holding
  const metadata = result && 'metadata' in result ? result.metadata : undefined
  const name = metadata?.name ?? `${collection} #${tokenId}`.trim()
  const description = metadata?.description
  const isListed = chain.data.collections?.some(({ address }) => keyOf(address) === contract)
  const image = metadata?.image
  return {
    id: toAssetId(chain.id, holding),
    standard,
    contract: toCaip(chain, contract),
    tokenId: String(tokenId),
    amount: String(amount),
    name,
    collection,
    ...(description && { description }),
    attributes: metadata?.attributes ?? [],
    ...(image !== undefined && {
      imageUrl: toImageUrl(c, chain, holding, image),
    }),
    isSpam: !isListed && isSpam({ name, collection, ...(description && { description }) }),
    ...(result && 'problem' in result && { problem: result.problem }),
  }
}
