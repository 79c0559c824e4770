import type { KitInstance } from '../kit/Kit.ts'
import { selectWallet } from '../connection/connect.ts'
import { findWallet } from './findWallet.ts'

/**
 * Opens the modal for one wallet: connects it if it is installed, else shows how to get it or, on a
 * phone, how to open it. The connect view is below it in the history; for an unknown wallet, only the
 * connect view is shown.
 *
 * @param text - id, rdns or name
 * @see docs/views.md#public-api
 */
export async function openWallet(kit: KitInstance, text: string): Promise<void> {
  const wallet = await findWallet(kit, text)
  void kit.open({ view: 'Connect' })
  if (wallet) selectWallet(kit, wallet)
}
