import { useEffect, useState } from 'react'

import type { EmbeddedClient } from '../../../connectors/embeddedWallet/createClient.ts'
import { goBack } from '../../../core/view/navigate.ts'
import { useInstance } from '../../../react/context.ts'
import { retry } from '../../icons/base.ts'
import { passkey } from '../../icons/embedded.ts'
import { Button } from '../../parts/Button.tsx'
import { FacingPages } from '../../parts/FacingPages.tsx'
import type { FacingPagesState } from '../../parts/FacingPages.tsx'
import { Message } from '../../parts/Message.tsx'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import { FrameBox, useFrameCard } from './FrameBox.tsx'
import {
  codeOf,
  connectEmbedded,
  loginErrorText,
  useEmbedded,
  useLoginAttempt,
} from './useEmbedded.ts'

type Status = 'waiting' | 'done' | 'closed' | 'timedOut' | 'failed'

const looks: Record<Status, FacingPagesState> = {
  waiting: 'wait',
  done: 'good',
  closed: 'bad',
  timedOut: 'late',
  failed: 'bad',
}

/**
 * A login with only a passkey. The visitor chooses in the secure frame, which
 * is shown over this view, because browsers create passkeys only after a tap in
 * the frame. Leaving the view aborts the login.
 *
 * @see docs/views.md#connectingpasskey; docs/custody.md#passkey-login
 */
export function ConnectingPasskey() {
  const kit = useInstance()
  const t = useText(embeddedText)
  const embedded = useEmbedded()
  const attempt = useLoginAttempt()
  const [client, setClient] = useState<EmbeddedClient>()
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<unknown>()
  const [tries, setTries] = useState(0)
  const card = useFrameCard(client)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    embedded.client
      .use(async (loaded) => {
        if (signal.aborted) return
        setClient(loaded)
        await loaded.connectPasskey(signal)
        setDone(true)
        await connectEmbedded(kit)
      })
      .catch((cause: unknown) => {
        if (!signal.aborted) setError(cause)
      })
    return () => stop.abort()
  }, [kit, embedded, tries])

  const failure = attempt?.status === 'failed' ? attempt.error : error
  const code = codeOf(failure)
  const status = failure ? toStatus(code) : isDone ? 'done' : 'waiting'
  if (status === 'waiting' && card)
    return <FrameBox client={client} hint={t('embedded.passkeyHint')} />
  const { metadata } = kit.options
  return (
    <div className="gf-body" data-status={status}>
      <FacingPages
        state={looks[status]}
        from={{ name: metadata.name, src: metadata.icons[0] }}
        to={{ name: t('title.ConnectingPasskey'), icon: passkey }}
      />
      {status === 'waiting' ? (
        <Message role="status" title={t('embedded.passkey')}>
          {t('embedded.moment')}
        </Message>
      ) : status === 'done' ? (
        <>
          <Message role="status" title={t('embedded.back')}>
            {t('embedded.backHint')}
          </Message>
          <Button busy>{t('embedded.moment')}</Button>
        </>
      ) : (
        <>
          <Message
            role="alert"
            title={t(
              status === 'closed'
                ? 'embedded.passkeyClosed'
                : status === 'timedOut'
                  ? 'embedded.timedOut'
                  : 'embedded.passkeyFailed',
            )}
          >
            {status === 'closed'
              ? t('embedded.closedHint')
              : status === 'timedOut'
                ? t('embedded.passkeyTimedOut')
                : loginErrorText(failure, t)}
          </Message>
          {code !== 'not_offered' && (
            <Button
              kind="primary"
              icon={retry}
              onClick={() => {
                setError(undefined)
                setDone(false)
                setTries((count) => count + 1)
              }}
            >
              {t('embedded.tryAgain')}
            </Button>
          )}
          <Button kind={code === 'not_offered' ? 'primary' : 'quiet'} onClick={() => goBack(kit)}>
            {t('embedded.anotherWay')}
          </Button>
        </>
      )}
    </div>
  )
}

function toStatus(code: string | undefined): Status {
  if (code === 'frame.rejected' || code === 'frame.aborted') return 'closed'
  return code === 'frame.timeout' ? 'timedOut' : 'failed'
}
