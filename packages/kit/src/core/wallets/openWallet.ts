import type { KitInstance } from '../kit/Kit.ts'
import { selectWallet } from '../connection/connect.ts'
import { findWallet } from './findWallet.ts'

/**
 * Opens the modal for one wallet. Connects the wallet if it is installed. Otherwise shows how to connect it
 * by URI or, if no connector creates URIs, how to get it. Going back shows the connect view, which is also
 * shown if the wallet is unknown.
 *
 * @param text - id, rdns or name
 * @see docs/views.md#public-api
 */
export async function openWallet(kit: KitInstance, text: string): Promise<void> {
  const wallet = await findWallet(kit, text)
  void kit.open({ view: 'Connect' })
  if (wallet) selectWallet(kit, wallet)
}
