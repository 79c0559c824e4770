import { useEffect, useState } from 'react'

import { goBack, replace } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { useInstance } from '../../../react/context.ts'
import { clock, spin } from '../../icons/base.ts'
import { mail, shield } from '../../icons/embedded.ts'
import { Artwork } from '../../parts/Artwork.tsx'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Message } from '../../parts/Message.tsx'
import { Style } from '../../parts/Style.tsx'
import { useText } from '../../hooks/useText.ts'
import { WithEmail } from './WithEmail.tsx'
import { embeddedText } from '../../strings/embedded.ts'
import css from '../../styles/embedded.css?inline'
import { Resend } from './Resend.tsx'
import { loginErrorText, useEmbedded } from './useEmbedded.ts'

/**
 * Waits until the visitor opens the mailed link. The server then mails the
 * code.
 *
 * @see docs/views.md#emailverifydevice; spec §4.12
 */
export function EmailVerifyDevice({ data: { email } }: { data: ViewData['EmailVerifyDevice'] }) {
  const kit = useInstance()
  const t = useText(embeddedText)
  const embedded = useEmbedded()
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    embedded.client
      .use((client) => client.confirmDevice(stop.signal))
      .then(
        () => {
          if (!stop.signal.aborted) replace(kit, { name: 'EmailVerifyOtp', data: { email } })
        },
        (cause: unknown) => {
          if (!stop.signal.aborted) setError(cause)
        },
      )
    return () => stop.abort()
  }, [kit, embedded, email, attempt])

  async function resend() {
    try {
      const action = await embedded.client.use((client) => client.connectEmail(email))
      setError(undefined)
      if (action === 'VERIFY_OTP') replace(kit, { name: 'EmailVerifyOtp', data: { email } })
      else setAttempt((count) => count + 1)
    } catch (cause) {
      setError(cause)
    }
  }
  if (error !== undefined)
    return (
      <div className="gf-body">
        <Style css={css} />
        <div className="gf-login-icon">
          <Artwork icon={clock} size={56} />
        </div>
        <Message title={t('embedded.deviceFailed')} role="alert">
          {loginErrorText(error, t)} {t('embedded.deviceFailedHint')}
        </Message>
        <Button kind="primary" icon={mail} onClick={() => void resend()}>
          {t('embedded.newLink')}
        </Button>
        <Button kind="quiet" onClick={() => goBack(kit)}>
          {t('embedded.otherAddress')}
        </Button>
      </div>
    )
  return (
    <div className="gf-body">
      <Style css={css} />
      <div className="gf-login-icon">
        <Artwork icon={shield} size={56} />
      </div>
      <Message title={t('embedded.device')}>
        <WithEmail text={t('embedded.deviceHint')} email={email} />
      </Message>
      <div className="gf-code-notes">
        <p role="status">
          <Icon d={spin} size={16} spin /> {t('embedded.deviceWaiting')}
        </p>
        <Resend label={t('embedded.newLink')} onResend={() => void resend()} />
      </div>
    </div>
  )
}
