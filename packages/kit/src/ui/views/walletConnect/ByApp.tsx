import { useEffect, useRef, useState } from 'react'

import { openWalletApp } from '../../../connectors/walletConnect/openWalletApp.ts'
import { showUniversalConnector } from '../../../core/connection/connect.ts'
import { appLink, linkOf } from '../../../core/platform/appLink.ts'
import { isAndroid, isTelegram, isVisible } from '../../../core/platform/device.ts'
import { walletArt } from '../../../core/wallets/art.ts'
import type { WalletListing } from '../../../core/wallets/WalletListing.ts'
import { useInstance } from '../../../react/context.ts'
import { external } from '../../icons/guide.ts'
import { qr } from '../../icons/code.ts'
import { Button } from '../../parts/Button.tsx'
import { Note } from '../../parts/Note.tsx'
import { Message } from '../../parts/Message.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import { useText } from '../../hooks/useText.ts'
import { walletConnectText } from '../../strings/walletConnect.ts'
import { CopyLink } from './CopyLink.tsx'
import { GetRow, linksOf } from './GetRow.tsx'
import { useOffline, useUriAttempt } from './useUriAttempt.ts'

/** Time in ms after which an app that has not opened counts as not installed. */
const appOpenMs = 2_500

/**
 * Opens the wallet's app on this device, or its web app. An app is opened automatically once the URI is
 * ready. A web app opens only on a click, because browsers block pop-ups that open without a click.
 *
 * @see docs/views.md#mobile-web-and-desktop-apps
 */
export function ByApp(props: { wallet: WalletListing; kind: 'mobile' | 'desktop' | 'web' }) {
  const { wallet, kind } = props
  const kit = useInstance()
  const t = useText(walletConnectText)
  const attempt = useUriAttempt()
  const offline = useOffline(attempt)
  const uri = attempt?.uri
  const app =
    uri === undefined
      ? undefined
      : appLink({
          uri,
          link: linkOf[kind](wallet),
          universal: kind === 'mobile' ? wallet.link_mode : undefined,
          preferUniversal: Boolean(kit.options.experimental_preferUniversalLinks),
          doubled: isTelegram() && isAndroid(),
        })
  const [missing, watch] = useMissing()
  const open = () => {
    if (!app) return
    watch()
    openWalletApp(kit, { wallet, app })
  }
  const opened = useRef(false)
  useEffect(() => {
    if (!uri || opened.current || kind === 'web') return
    opened.current = true
    open()
  })

  const { metadata } = kit.options
  const values = { wallet: wallet.name }
  const isPage = kind === 'web'
  return (
    <>
      <FacingPages
        state={missing ? 'late' : 'wait'}
        from={{ name: metadata.name, src: metadata.icons[0] }}
        to={walletArt(kit, wallet)}
      />
      <Message
        key={String(missing)}
        role={missing ? 'alert' : 'status'}
        title={t(missing ? 'walletConnect.missing' : 'walletConnect.continue', values)}
      >
        {t(
          missing
            ? linksOf(wallet).length > 0
              ? 'walletConnect.missingGet'
              : 'walletConnect.missingHint'
            : isPage
              ? 'walletConnect.webHint'
              : 'walletConnect.appHint',
          values,
        )}
      </Message>
      {offline && (
        <Note kind="warn" role="status">
          {t('walletConnect.offlineApp', values)}
        </Note>
      )}
      <Button
        kind="primary"
        icon={external}
        disabled={!app}
        {...(isPage && app
          ? {
              href: app.link,
              onClick: () => openWalletApp(kit, { wallet, app, isFollowed: true }),
            }
          : { onClick: open })}
      >
        {t('walletConnect.open', values)}
      </Button>
      <CopyLink kind="quiet" uri={uri} />
      {missing && (
        <>
          <Button kind="quiet" icon={qr} onClick={() => showUniversalConnector(kit)}>
            {t('walletConnect.showCode')}
          </Button>
          <GetRow wallet={wallet} />
        </>
      )}
    </>
  )
}

/**
 * Detects that an app did not open: the page stays visible and keeps the focus for `appOpenMs`.
 *
 * @returns whether the app did not open, and a function to call before opening the app
 */
function useMissing(): readonly [missing: boolean, watch: () => void] {
  const [missing, setMissing] = useState(false)
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])
  const watch = () => {
    stop.current()
    setMissing(false)
    const ended = new AbortController()
    const { signal } = ended
    const timer = setTimeout(() => {
      ended.abort()
      setMissing(true)
    }, appOpenMs)
    stop.current = () => {
      clearTimeout(timer)
      ended.abort()
    }
    const onLeave = () => stop.current()
    // The browser's own “Open the app?” dialog takes the focus without hiding the page.
    window.addEventListener('blur', onLeave, { signal })
    window.addEventListener('pagehide', onLeave, { signal })
    document.addEventListener('visibilitychange', () => !isVisible() && onLeave(), { signal })
  }
  return [missing, watch]
}
