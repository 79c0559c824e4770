import type { KitInstance } from '../../core/kit/Kit.ts'
import type { AppLink } from '../../core/platform/appLink.ts'
import { openLink } from '../../core/platform/openLink.ts'
import { addRecentWallet } from '../../core/wallets/addRecentWallet.ts'
import type { WalletListing } from '../../core/wallets/WalletListing.ts'
import { walletConnectId } from './id.ts'
import type { WalletConnectConnector } from './walletConnect.ts'

/**
 * Opens a wallet's app with the current URI, and records the app for later requests.
 *
 * @param parameters.isFollowed - whether the browser follows the link after the visitor's click, so that it
 * must not be opened again
 * @see docs/views.md
 */
export function openWalletApp(
  kit: KitInstance,
  parameters: { wallet: WalletListing; app: AppLink; isFollowed?: boolean },
): void {
  const { wallet, app, isFollowed } = parameters
  addRecentWallet(kit, wallet)
  walletConnectOf(kit)?.setApp({ id: wallet.id, name: wallet.name, href: app.href })
  if (!isFollowed) openLink(app.link)
}

/** Forgets the app once a QR code is shown: another wallet may scan the code. */
export function forgetWalletApp(kit: KitInstance): void {
  if (kit.getState().attempt?.progress?.app) walletConnectOf(kit)?.setApp(undefined)
}

/** Finds the WalletConnect connector of an instance; undefined if the instance has none. */
export function walletConnectOf(
  kit: Pick<KitInstance, 'connectors'>,
): WalletConnectConnector | undefined {
  return kit.connectors.get(walletConnectId) as WalletConnectConnector | undefined
}
