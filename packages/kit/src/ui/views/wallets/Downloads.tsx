import { goBack, reset } from '../../../core/view/navigate.ts'
import { addRecentWallet } from '../../../core/wallets/addRecentWallet.ts'
import { walletArt } from '../../../core/wallets/art.ts'
import { isMobile } from '../../../core/platform/isMobile.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { desk, external, globe, phone, puzzle } from '../../icons/guide.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { List, Row } from '../../parts/List.tsx'
import { safeHref } from '../../../core/platform/safeHref.ts'
import { Message } from '../../parts/Message.tsx'
import { useText } from '../../hooks/useText.ts'
import { guideText } from '../../strings/guide.ts'

/**
 * Download links for a wallet that is not installed. The link that opens the wallet's app, if it has one, is
 * first.
 *
 * @see docs/views.md#downloads
 */
export function Downloads({ data: { wallet } }: { data: ViewData['Downloads'] }) {
  const kit = useInstance()
  const t = useText(guideText)
  const mobile = isMobile()
  const isFirst = useKitState(({ view }) => view.history.length < 2)
  const values = { wallet: wallet.name }
  const app = safeHref(mobile ? wallet.mobile_link : wallet.desktop_link, { app: true })
  const downloads = (
    [
      ['extension', puzzle, mobile ? undefined : wallet.chrome_store],
      ['ios', phone, wallet.app_store],
      ['android', phone, wallet.play_store],
      ['website', globe, wallet.homepage],
    ] as const
  ).flatMap(([name, icon, link]) => {
    const href = safeHref(link)
    return href ? [{ name, icon, href }] : []
  })
  const unavailable = downloads.length === 0 && !app
  const desktopOnly = unavailable && mobile && safeHref(wallet.chrome_store)
  return (
    <div className="gf-body">
      <div className="gf-picture">
        <Artwork size={64} {...walletArt(kit, wallet)} />
      </div>
      {desktopOnly ? (
        <Message title={t('guide.desktopOnly', values)}>{t('guide.desktopOnlyHint')}</Message>
      ) : unavailable ? (
        <Message title={t('guide.noLinks', values)}>{t('guide.noLinksHint')}</Message>
      ) : mobile && app ? (
        <Message title={t('guide.onPhone', values)}>{t('guide.onPhoneHint', values)}</Message>
      ) : (
        <Message title={t('guide.notHere', values)}>{t('guide.notHereHint')}</Message>
      )}
      {app && (
        <Button
          kind={mobile ? 'primary' : undefined}
          icon={mobile ? external : desk}
          href={app}
          sameWindow
          onClick={() => addRecentWallet(kit, wallet)}
        >
          {t('guide.open', values)}
        </Button>
      )}
      {downloads.length > 0 && (
        <List label={t('guide.downloads', values)}>
          {downloads.map(({ name, icon, href }) => (
            <Row
              key={name}
              href={href}
              start={<Artwork icon={icon} />}
              title={t(`guide.${name}`)}
              note={<bdi dir="ltr">{new URL(href).hostname.replace(/^www\./, '')}</bdi>}
              end={<Icon d={external} size={16} />}
            />
          ))}
        </List>
      )}
      {unavailable && (
        <Button onClick={() => (isFirst ? reset(kit, { name: 'Connect' }) : goBack(kit))}>
          {t('guide.another')}
        </Button>
      )}
    </div>
  )
}
