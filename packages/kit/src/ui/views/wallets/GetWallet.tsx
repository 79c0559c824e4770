import { push } from '../../../core/view/navigate.ts'
import { walletImage } from '../../../core/wallets/images.ts'
import { useInstance } from '../../../react/context.ts'
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
 * Suggested wallets: the site's first, then the gateway's.
 *
 * @see docs/views.md#getwallet
 */
export function GetWallet() {
  const kit = useInstance()
  const t = useText(guideText)
  const { featured, recommended, pending } = useFeaturedWallets()
  const all = [...featured, ...(kit.options.customWallets ?? []), ...recommended]
  const wallets = [...new Map(all.map((wallet) => [wallet.id, wallet])).values()].slice(
    0,
    suggestionCount,
  )
  return (
    <div className="gf-body">
      {wallets.length > 0 || pending ? (
        <List label={t('guide.wallets')}>
          {wallets.map((wallet) => {
            const href = safeHref(wallet.homepage)
            return (
              <Row
                key={wallet.id}
                start={<Artwork name={wallet.name} src={walletImage(kit, wallet)} />}
                title={wallet.name}
                href={href}
                onClick={
                  href ? undefined : () => push(kit, { name: 'Downloads', data: { wallet } })
                }
                end={
                  <span className="gf-row-end">
                    <Icon d={href ? external : chevron} size={16} flip={!href} />
                  </span>
                }
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
