import { push } from '../../../core/view/navigate.ts'
import { walletArt } from '../../../core/wallets/art.ts'
import { installedConnector } from '../../../core/wallets/installedConnector.ts'
import type { WalletListing } from '../../../core/wallets/WalletListing.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitQuery } from '../../../react/queries.ts'
import { chevron } from '../../icons/base.ts'
import { external } from '../../icons/guide.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row, RowSkeleton } from '../../parts/List.tsx'
import { safeHref } from '../../../core/platform/safeHref.ts'
import { useFeaturedWallets } from '../../hooks/useFeaturedWallets.ts'
import { useText } from '../../hooks/useText.ts'
import { guideText } from '../../strings/guide.ts'

/** Maximum number of suggested wallets. */
const suggestionCount = 4

/**
 * Suggested wallets that are not installed: the site's first, then those of the gateway or of the bundled
 * directory.
 *
 * @see docs/views.md#getwallet
 */
export function GetWallet() {
  const kit = useInstance()
  const t = useText(guideText)
  const { featured, recommended, pending: waiting } = useFeaturedWallets()
  const custom = kit.options.customWallets ?? []
  // Without suggestions, shows the first wallets of the directory.
  const needsDirectory = !waiting && featured.length + recommended.length === 0
  const directory = useKitQuery({
    name: 'wallets',
    key: ['first'],
    enabled: needsDirectory,
    staleTime: Infinity,
    load: () =>
      import('../../../core/wallets/fetchWallets.ts').then(({ fetchWallets }) => fetchWallets(kit)),
  })
  const pending = waiting || (needsDirectory && directory.isPending)
  const all = [...featured, ...custom, ...recommended, ...(directory.data?.wallets ?? [])]
  const state = useKitState((current) => current)
  const wallets = [...new Map(all.map((wallet) => [wallet.id, wallet])).values()]
    .filter((wallet) => !installedConnector(state, wallet))
    .slice(0, suggestionCount)
  return (
    <div className="gf-body">
      {wallets.length > 0 || pending ? (
        <List label={t('guide.wallets')}>
          {wallets.map((wallet) => {
            const href = safeHref(wallet.homepage)
            const kind = kindOf(wallet)
            return (
              <Row
                key={wallet.id}
                start={<Artwork {...walletArt(kit, wallet)} />}
                title={wallet.name}
                note={kind && t(kind)}
                href={href}
                onClick={
                  href ? undefined : () => push(kit, { name: 'Downloads', data: { wallet } })
                }
                end={<Icon d={href ? external : chevron} size={16} flip={!href} />}
              />
            )
          })}
          {pending &&
            Array.from({ length: suggestionCount }, (_, index) => <RowSkeleton key={index} />)}
        </List>
      ) : (
        <Empty plate="torn" title={t('guide.none')}>
          {t('guide.noneHint')}
        </Empty>
      )}
      <Button onClick={() => push(kit, { name: 'AllWallets' })}>{t('guide.exploreAll')}</Button>
    </div>
  )
}

/** Where the wallet runs; undefined if its entry has no store or app links. */
function kindOf(wallet: WalletListing) {
  const isApp = Boolean(wallet.mobile_link || wallet.app_store || wallet.play_store)
  if (!wallet.chrome_store) return isApp ? 'guide.app' : undefined
  return isApp ? 'guide.extensionAndApp' : 'guide.extension'
}
