import { linkOf } from '../platform/appLink.ts'
import type { WalletListing } from './WalletListing.ts'

/** A way to connect a wallet. `missing`: its extension is not installed, or the wallet has no link for this device. */
export type Platform = 'browser' | 'code' | 'mobile' | 'web' | 'desktop' | 'missing'

/**
 * The ways to connect a wallet from this device, the best one first. Without a wallet, only a QR code.
 *
 * @see docs/views.md#connectingwalletconnect
 */
export function platformsOf(
  wallet: WalletListing | undefined,
  parameters: { mobile: boolean; installed: boolean },
): readonly [Platform, ...Platform[]] {
  const { mobile, installed } = parameters
  if (!wallet) return ['code']
  const platforms: Platform[] = []
  if (installed) platforms.push('browser')
  if (linkOf.mobile(wallet) || wallet.link_mode) platforms.push(mobile ? 'mobile' : 'code')
  if (linkOf.web(wallet)) platforms.push('web')
  if (linkOf.desktop(wallet) && !mobile) platforms.push('desktop')
  if (!installed && !mobile && (wallet.rdns || wallet.chrome_store)) platforms.push('missing')
  const [first = 'missing', ...rest] = platforms
  return [first, ...rest]
}
