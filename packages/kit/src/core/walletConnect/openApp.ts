import type { Kit } from '../kit/Kit.ts'
import type { AppLink } from '../platform/appLink.ts'
import { openLink } from '../platform/openLink.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'
import { addRecentWallet } from '../wallets/addRecentWallet.ts'

/**
 * Hands the pairing on offer to a wallet's app, and remembers the app for what it is asked later.
 *
 * @param parameters.isFollowed - the visitor has pressed the link itself, so that it is not opened
 * @see views.md 1.2 “Mobile”, “Web / Desktop”
 */
export function openApp(
  kit: Kit,
  parameters: { wallet: WalletListing; app: AppLink; isFollowed?: boolean },
): void {
  const { wallet, app, isFollowed } = parameters
  const { pairing } = kit.getState()
  addRecentWallet(kit, wallet)
  const opened = { name: wallet.name, href: app.href }
  kit.walletConnect?.rememberApp(opened)
  if (pairing)
    kit.dispatch({
      type: 'pairing.changed',
      pairing: { ...pairing, status: 'waiting', app: opened },
    })
  if (!isFollowed) openLink(app.link)
}

/** A code is on screen: whoever takes it need not be the app that was opened before. */
export function forgetApp(kit: Kit): void {
  const { pairing } = kit.getState()
  if (!pairing?.app) return
  kit.walletConnect?.rememberApp(undefined)
  const status = pairing.status === 'waiting' ? 'ready' : pairing.status
  kit.dispatch({ type: 'pairing.changed', pairing: { ...pairing, status, app: undefined } })
}
