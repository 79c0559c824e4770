import { limits } from '@gatefold/protocol'

import type { KitInstance } from '../kit/Kit.ts'
import { matchesWallet, findLocalWallet } from './findLocalWallet.ts'
import type { WalletListing } from './WalletListing.ts'

/** Request timeout in ms; short, because the visitor is waiting after a click. */
const timeoutMs = 2_000

/**
 * Finds a wallet by id, rdns or name: first among custom, recent and suggested wallets, then in the
 * bundled directory, then on the gateway.
 *
 * @param text - id, rdns or name, ignoring case and the suffix “Wallet”
 */
export async function findWallet(
  kit: KitInstance,
  text: string,
): Promise<WalletListing | undefined> {
  const local = findLocalWallet(kit, text)
  if (local) return local
  const matches = (wallet: WalletListing) => matchesWallet(wallet, text)
  const { directory } = await import('../../data/directory.ts')
  return directory.find(matches) ?? (await searchGateway(kit, text)).find(matches)
}

async function searchGateway(kit: KitInstance, text: string): Promise<readonly WalletListing[]> {
  try {
    const gateway = await kit.gateway()
    const query = /^[\da-f]{64}$/i.test(text) ? { include: [text] } : { search: text }
    const page = await gateway?.wallets(
      { page: 1, entries: limits.walletSearchEntries, ...query },
      AbortSignal.timeout(timeoutMs),
    )
    return page?.data ?? []
  } catch {
    // A failed request counts as not found: the connect view shows the other wallets.
    return []
  }
}
