import { push } from '../../../core/view/navigate.ts'
import { isAndroid, isIos } from '../../../core/platform/device.ts'
import { isMobile } from '../../../core/platform/isMobile.ts'
import { safeHref } from '../../../core/platform/safeHref.ts'
import type { WalletListing } from '../../../core/wallets/WalletListing.ts'
import { useInstance } from '../../../react/context.ts'
import { chevron } from '../../icons/base.ts'
import { external } from '../../icons/guide.ts'
import { download } from '../../icons/code.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row } from '../../parts/List.tsx'
import { useText } from '../../hooks/useText.ts'
import { walletConnectText } from '../../strings/walletConnect.ts'

/**
 * A link to get the wallet: its page in the phone's app store, its only download link, or a choice of
 * downloads. Renders nothing if there are no links.
 *
 * @see docs/views.md#downloads
 */
export function GetRow({ wallet }: { wallet: WalletListing }) {
  const kit = useInstance()
  const t = useText(walletConnectText)
  const links = linksOf(wallet)
  const store = isMobile() ? storeOf(wallet) : undefined
  const href = store ?? (links.length === 1 ? links[0] : undefined)
  if (!href && links.length === 0) return null
  return (
    <List label={t('walletConnect.get', { wallet: wallet.name })}>
      <Row
        start={<Artwork icon={download} />}
        title={t('walletConnect.get', { wallet: wallet.name })}
        end={<Icon d={href ? external : chevron} size={16} flip={!href} />}
        href={href}
        onClick={href ? undefined : () => push(kit, { name: 'Downloads', data: { wallet } })}
      />
    </List>
  )
}

/** The wallet's downloads for all devices. */
export function linksOf(wallet: WalletListing): string[] {
  return [wallet.chrome_store, wallet.app_store, wallet.play_store, wallet.homepage].flatMap(
    (link) => safeHref(link) ?? [],
  )
}

/** The wallet's page in this phone's app store. */
export function storeOf(wallet: WalletListing): string | undefined {
  if (isIos()) return safeHref(wallet.app_store)
  return isAndroid() ? safeHref(wallet.play_store) : undefined
}
