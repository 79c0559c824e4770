import type { StageBody } from './api.ts'

/**
 * The text whose Keccak-256 hash the wallet's EVM key signs for a set of
 * shares, so that a stolen login is not enough to add a set. A page cannot
 * request such a signature: messages (ERC-191), typed data (EIP-712) and
 * transactions have other prefixes.
 *
 * @see docs/contracts/frame-api.md#wallet
 */
export function setText({
  setId,
  epoch,
  eip155,
  solana,
  smartAccount: { kind, owner },
}: Pick<StageBody, 'setId' | 'epoch' | 'eip155' | 'solana' | 'smartAccount'>): string {
  return ['gatefold set of shares', setId, epoch, eip155, solana, kind, owner].join('\n')
}
