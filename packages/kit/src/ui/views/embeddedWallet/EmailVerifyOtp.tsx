import { useState } from 'react'

import { showToast } from '../../../core/notifications/showToast.ts'
import { replace } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { useInstance } from '../../../react/context.ts'
import { Message } from '../../parts/Message.tsx'
import { useText } from '../../hooks/useText.ts'
import { WithEmail } from './WithEmail.tsx'
import { embeddedText } from '../../strings/embedded.ts'
import { CodeField } from './CodeField.tsx'
import { Resend } from './Resend.tsx'
import {
  connectEmbedded,
  loginErrorText,
  stayingOnView,
  useEmbedded,
  useLoginAttempt,
} from './useEmbedded.ts'

/**
 * The code that was mailed to log in.
 *
 * @see docs/views.md#emailverifyotp; spec §4.12
 */
export function EmailVerifyOtp({ data: { email } }: { data: ViewData['EmailVerifyOtp'] }) {
  const kit = useInstance()
  const t = useText(embeddedText)
  const embedded = useEmbedded()
  const attempt = useLoginAttempt()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()

  async function run(step: () => Promise<void>) {
    setBusy(true)
    setError(undefined)
    try {
      await step()
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  const enter = (code: string) =>
    run(async () => {
      const isStaying = stayingOnView(kit)
      await embedded.client.use((client) => client.enterCode(code))
      if (isStaying()) await connectEmbedded(kit)
    })
  const resend = () =>
    run(async () => {
      const action = await embedded.client.use((client) => client.connectEmail(email))
      if (action === 'VERIFY_DEVICE') replace(kit, { name: 'EmailVerifyDevice', data: { email } })
      else showToast(kit, 'success', t('embedded.sent'))
    })
  const failure = attempt?.status === 'failed' ? attempt.error : error
  const isChecking = isBusy || attempt?.status === 'waiting' || attempt?.status === 'silent'
  return (
    <div className="gf-body">
      <Message title={t(isChecking ? 'embedded.checking' : 'embedded.codeTitle')} role="status">
        <WithEmail text={t('embedded.codeHint')} email={email} />
      </Message>
      <CodeField
        label={t('embedded.code')}
        state={isChecking ? 'busy' : failure ? 'bad' : 'typing'}
        error={failure ? loginErrorText(failure, t) : undefined}
        busyText={t('embedded.moment')}
        onCode={(code) => void enter(code)}
      >
        {!failure && <p>{t('embedded.spam')}</p>}
        <Resend label={t('embedded.again')} onResend={() => void resend()} />
      </CodeField>
    </div>
  )
}
