import { useEffect, useState } from 'react'

import { push } from '../../../core/view/navigate.ts'
import { forgetWalletApp } from '../../../connectors/walletConnect/openWalletApp.ts'
import { requestUri } from '../../../core/connection/connect.ts'
import { walletArt } from '../../../core/wallets/art.ts'
import type { WalletListing } from '../../../core/wallets/WalletListing.ts'
import { useInstance } from '../../../react/context.ts'
import { retry } from '../../icons/base.ts'
import { download } from '../../icons/code.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { List, Row, RowChevron } from '../../parts/List.tsx'
import { QrCode } from '../../parts/QrCode.tsx'
import { useText } from '../../hooks/useText.ts'
import { walletConnectText } from '../../strings/walletConnect.ts'
import { CopyLink } from './CopyLink.tsx'
import { GetRow } from './GetRow.tsx'
import { useOffline, useUriAttempt } from './useUriAttempt.ts'

/**
 * A QR code for phones, and a link to copy for other devices.
 *
 * @see docs/views.md#qr-code
 */
export function ByCode({ wallet }: { wallet: WalletListing | undefined }) {
  const kit = useInstance()
  const t = useText(walletConnectText)
  const attempt = useUriAttempt()
  useEffect(() => forgetWalletApp(kit), [kit])
  const offline = useOffline(attempt)
  const expired = attempt?.status === 'expired'
  const uri = expired ? undefined : attempt?.uri
  const { metadata } = kit.options
  const art = wallet ? walletArt(kit, wallet) : { name: metadata.name, src: metadata.icons[0] }
  const name = wallet?.name ?? t('walletConnect.wallet')
  return (
    <>
      <QrCode text={uri} busy={!expired} label={t('walletConnect.qrLabel', { wallet: name })}>
        <Artwork size={56} {...art} />
      </QrCode>
      {expired ? (
        <p className="gf-qr-caption" role="alert">
          <span>{t('walletConnect.expired')}.</span>
          <span>{t('walletConnect.expiredHint')}</span>
        </p>
      ) : (
        <p className="gf-qr-caption" role="presentation">
          {uri ? (
            <>
              <span>
                {wallet ? t('walletConnect.scan', { wallet: name }) : t('walletConnect.scanAny')}
              </span>
              {/* Replaces the countdown, because the QR code must not move while it is scanned. */}
              {offline ? (
                <b>{t('walletConnect.offline')}</b>
              ) : (
                <Countdown until={attempt?.expiresAt} />
              )}
            </>
          ) : (
            <span>{t('walletConnect.creating')}</span>
          )}
        </p>
      )}
      <p className="gf-hidden" role="status">
        {offline
          ? t('walletConnect.offline')
          : expired
            ? ''
            : t(uri ? 'walletConnect.ready' : 'walletConnect.creating')}
      </p>
      {expired ? (
        <Button kind="primary" icon={retry} onClick={() => requestUri(kit, { renew: true })}>
          {t('walletConnect.newCode')}
        </Button>
      ) : (
        <CopyLink uri={uri} />
      )}
      {wallet ? (
        <GetRow wallet={wallet} />
      ) : (
        <List label={t('walletConnect.noWallet')}>
          <Row
            start={<Artwork icon={download} />}
            title={t('walletConnect.noWallet')}
            note={t('walletConnect.noWalletHint')}
            end={<RowChevron />}
            onClick={() => push(kit, { name: 'GetWallet' })}
          />
        </List>
      )}
    </>
  )
}

/** The time until the code is renewed. Hidden from screen readers, because it changes every second. */
function Countdown({ until }: { until: number | undefined }) {
  const t = useText(walletConnectText)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (!until || until === Infinity) return null
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000))
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return <span aria-hidden>{t('walletConnect.countdown', { time })}</span>
}
