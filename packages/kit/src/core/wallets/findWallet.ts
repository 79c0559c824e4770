import { limits } from '@gatefold/protocol'

import type { Kit } from '../kit/Kit.ts'
import { isCalled, findLocalWallet } from './findLocalWallet.ts'
import type { WalletListing } from './WalletListing.ts'

/** How long a server may take to name a wallet, in ms: the visitor has clicked and waits. */
const patienceMs = 2_000

/**
 * A wallet of the directory by what a site calls it: among those at hand, then among the best known
 * ones, then on the server.
 *
 * @param text - id, rdns or name, in any case; “Wallet” at a name's end may be left out
 * @returns undefined where nobody knows it
 */
export async function findWallet(kit: Kit, text: string): Promise<WalletListing | undefined> {
  const near = findLocalWallet(kit, text)
  if (near) return near
  const is = (wallet: WalletListing) => isCalled(wallet, text)
  const { directory } = await import('../../data/directory.ts')
  return directory.find(is) ?? (await ask(kit, text)).find(is)
}

async function ask(kit: Kit, text: string): Promise<readonly WalletListing[]> {
  try {
    const gateway = await kit.gateway()
    const query = /^[\da-f]{64}$/i.test(text) ? { include: [text] } : { search: text }
    const page = await gateway?.wallets(
      { page: 1, entries: limits.walletSearchEntries, ...query },
      AbortSignal.timeout(patienceMs),
    )
    return page?.data ?? []
  } catch {
    // A server that does not answer knows nothing: the connect view offers what there is.
    return []
  }
}
