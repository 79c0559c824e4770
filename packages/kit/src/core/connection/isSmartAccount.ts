import { CaipNetworkId } from '@gatefold/protocol'

import type { SessionState } from './Session.ts'

/**
 * Whether a wallet sends an account's transactions as user operations, according to the wallet's session.
 *
 * @see ERC-4337
 */
export function isSmartAccount(
  session: SessionState | undefined,
  { address, caipNetworkId }: { address: string; caipNetworkId: CaipNetworkId.CaipNetworkId },
): boolean {
  const { namespace } = CaipNetworkId.parse(caipNetworkId)
  const accounts = session?.grants[namespace]?.accounts ?? []
  return accounts.some(
    (account) =>
      account.type === 'smartAccount' &&
      account.caipNetworkId === caipNetworkId &&
      account.address.toLowerCase() === address.toLowerCase(),
  )
}
