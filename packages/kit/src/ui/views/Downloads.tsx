import { goBack, reset } from '../../core/actions/navigate.ts'
import { rememberWallet } from '../../core/actions/rememberWallet.ts'
import { walletImage } from '../../core/images.ts'
import { isMobile } from '../../core/isMobile.ts'
import type { ViewData } from '../../core/view.ts'
import { useKit, useKitState } from '../../react/context.ts'
import { desk, external, globe, phone, puzzle } from '../icons/guide.ts'
import { Artwork } from '../parts/Artwork.tsx'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Leaf, Row } from '../parts/Leaf.tsx'
import { safeHref } from '../../core/safeHref.ts'
import { Say } from '../parts/Say.tsx'
import { useText } from '../parts/useText.ts'
import { guideText } from '../strings/guide.ts'

/**
 * Where a wallet that is not installed comes from; on a phone its app is offered first.
 *
 * @see views.md 1.2 “Downloads”
 */
export function Downloads({ data: { wallet } }: { data: ViewData['Downloads'] }) {
  const kit = useKit()
  const t = useText(guideText)
  const mobile = isMobile()
  const isFirst = useKitState(({ view }) => view.history.length < 2)
  const values = { wallet: wallet.name }
  const app = safeHref(mobile ? wallet.mobile_link : wallet.desktop_link, { app: true })
  const ways = (
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
  const nothing = ways.length === 0 && !app
  const deskOnly = nothing && mobile && safeHref(wallet.chrome_store)
  return (
    <div className="gf-body">
      <div className="gf-portrait">
        <Artwork size={64} name={wallet.name} src={walletImage(kit, wallet)} />
      </div>
      {deskOnly ? (
        <Say title={t('guide.deskOnly', values)}>{t('guide.deskOnlyHint')}</Say>
      ) : nothing ? (
        <Say title={t('guide.noLinks', values)}>{t('guide.noLinksHint')}</Say>
      ) : mobile && app ? (
        <Say title={t('guide.onPhone', values)}>{t('guide.onPhoneHint', values)}</Say>
      ) : (
        <Say title={t('guide.notHere', values)}>{t('guide.notHereHint')}</Say>
      )}
      {app && (
        <Button
          kind={mobile ? 'primary' : undefined}
          icon={mobile ? external : desk}
          href={app}
          sameWindow
          onClick={() => rememberWallet(kit, wallet)}
        >
          {t('guide.open', values)}
        </Button>
      )}
      {ways.length > 0 && (
        <Leaf label={t('guide.downloads', values)}>
          {ways.map(({ name, icon, href }) => (
            <Row
              key={name}
              href={href}
              start={<Artwork icon={icon} />}
              title={t(`guide.${name}`)}
              note={<bdi dir="ltr">{new URL(href).hostname.replace(/^www\./, '')}</bdi>}
              end={
                <span className="gf-end">
                  <Icon d={external} size={16} />
                </span>
              }
            />
          ))}
        </Leaf>
      )}
      {nothing && (
        <Button onClick={() => (isFirst ? reset(kit, { name: 'Connect' }) : goBack(kit))}>
          {t('guide.another')}
        </Button>
      )}
    </div>
  )
}
