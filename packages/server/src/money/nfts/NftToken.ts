import type { NftStandard } from '@gatefold/protocol/gateway'
import type { Address } from 'viem'

/** A token of an NFT contract. */
export type NftToken = { standard: NftStandard; contract: Address; tokenId: bigint }

/**
 * A token that an account may own, and the Unix time in ms of its last transfer
 * to or from the account.
 */
export type NftCandidate = NftToken & { lastSeenAt: number }

/** The name of a token, as in CAIP-19. @see https://chainagnostic.org/CAIPs/caip-19 */
export function toAssetId(chainId: string, { standard, contract, tokenId }: NftToken): string {
  return `${chainId}/${standard}:${contract.toLowerCase()}/${tokenId}`
}
