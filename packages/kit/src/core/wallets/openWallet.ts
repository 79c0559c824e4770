import type { Kit } from '../kit/Kit.ts'
import { selectWallet } from '../connection/connect.ts'
import { findWallet } from './findWallet.ts'

/**
 * Opens the modal for one wallet that may not be in this browser: asks it, or shows how to get it or,
 * on a phone, to open it. One that nobody knows leads to the connect view alone, which is also what
 * lies one step back.
 *
 * @param text - id, rdns or name
 * @see views.md “The public React API”
 */
export async function openWallet(kit: Kit, text: string): Promise<void> {
  const wallet = await findWallet(kit, text)
  void kit.open({ view: 'Connect' })
  if (wallet) selectWallet(kit, wallet)
}
