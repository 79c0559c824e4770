import { useEffect, useState } from 'react'

import { isMobile } from '../../../core/platform/isMobile.ts'
import { goBack } from '../../../core/view/navigate.ts'
import { safeHref } from '../../../core/platform/safeHref.ts'
import { useInstance } from '../../../react/context.ts'
import { socialIcons } from '../../icons/embedded.ts'
import { external } from '../../icons/guide.ts'
import { copy as copyIcon } from '../../icons/account.ts'
import { check, retry } from '../../icons/base.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import { Message } from '../../parts/Message.tsx'
import { QrCode } from '../../parts/QrCode.tsx'
import { Style } from '../../parts/Style.tsx'
import { useCopy } from '../../hooks/useCopy.ts'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import css from '../../styles/embedded.css?inline'
import { trackOutcome } from './socials.ts'
import { connectEmbedded, loginErrorText, useEmbedded, useLoginAttempt } from './useEmbedded.ts'

/** The message of the event for a failed login. @see spec §8.3 */
const connectFailed = 'Failed to connect to farcaster'

/**
 * A login with Farcaster: a QR code or, on phones, a link to its app.
 *
 * @see docs/views.md#connectingfarcaster; spec §1.5
 */
export function ConnectingFarcaster() {
  const kit = useInstance()
  const t = useText(embeddedText)
  const embedded = useEmbedded()
  const connection = useLoginAttempt()
  const [url, setUrl] = useState<string>()
  const [isConfirmed, setConfirmed] = useState(false)
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    void embedded.client
      .use(async (client) => {
        const link = await client.farcasterUrl()
        if (signal.aborted) return
        setUrl(link)
        await client.confirmFarcaster(signal)
        if (signal.aborted) return
        setConfirmed(true)
        await connectEmbedded(kit)
        trackOutcome(kit, 'farcaster', connectFailed)
      })
      .catch((cause: unknown) => {
        if (signal.aborted) return
        setError(cause)
        kit.track({
          event: 'SOCIAL_LOGIN_ERROR',
          properties: { provider: 'farcaster', message: connectFailed },
        })
      })
    return () => stop.abort()
  }, [kit, embedded, attempt])

  const isMobilePage = isMobile()
  const { metadata } = kit.options
  const failure = connection?.status === 'failed' ? connection.error : error
  if (failure || isConfirmed || isMobilePage)
    return (
      <div className="gf-body">
        <FacingPages
          state={failure ? 'bad' : isConfirmed ? 'good' : 'wait'}
          from={{ name: metadata.name, src: metadata.icons[0] }}
          to={{ name: 'Farcaster', icon: socialIcons['farcaster']! }}
        />
        {failure ? (
          <>
            <Message role="alert" title={t('embedded.farcasterFailed')}>
              {loginErrorText(failure, t)}
            </Message>
            <Button
              kind="primary"
              icon={retry}
              onClick={() => {
                setError(undefined)
                setConfirmed(false)
                setUrl(undefined)
                setAttempt((count) => count + 1)
              }}
            >
              {t('embedded.newCode')}
            </Button>
            <Button kind="quiet" onClick={() => goBack(kit)}>
              {t('embedded.anotherWay')}
            </Button>
          </>
        ) : isConfirmed ? (
          <Message role="status" title={t('embedded.back')}>
            {t('embedded.backHint')}
          </Message>
        ) : (
          <>
            <Message role="status" title={t('embedded.farcasterOpen')}>
              {t('embedded.farcasterOpenHint')}
            </Message>
            <Button
              kind="primary"
              icon={external}
              href={url && safeHref(url)}
              disabled={!url}
              sameWindow
            >
              {t('embedded.openProvider', { provider: 'Farcaster' })}
            </Button>
            <CopyUrl url={url} kind="quiet" />
          </>
        )}
      </div>
    )
  return (
    <div className="gf-body">
      <Style css={css} />
      <QrCode text={url} busy label={t('embedded.farcasterCode')}>
        <Artwork size={56} name={metadata.name} src={metadata.icons[0]} />
      </QrCode>
      <p className="gf-login-note" role="status">
        {t(url ? 'embedded.farcasterScan' : 'embedded.farcasterCreating')}
      </p>
      <CopyUrl url={url} />
    </div>
  )
}

/** Copies the link, and confirms it. */
function CopyUrl({ url, kind }: { url: string | undefined; kind?: 'quiet' }) {
  const t = useText(embeddedText)
  const { copied, copy } = useCopy(t('embedded.copyFailed'))
  return (
    <Button
      {...(kind && { kind })}
      icon={copied ? check : copyIcon}
      disabled={!url}
      onClick={() => url && copy(url)}
    >
      <span role="status">{t(copied ? 'embedded.copied' : 'embedded.copy')}</span>
    </Button>
  )
}
