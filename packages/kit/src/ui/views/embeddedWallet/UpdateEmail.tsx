import { useState } from 'react'

import { showToast } from '../../../core/notifications/showToast.ts'
import { goBack, push, replace, returnTo } from '../../../core/view/navigate.ts'
import type { ViewData } from '../../../core/view/view.ts'
import { useInstance } from '../../../react/context.ts'
import { mail } from '../../icons/embedded.ts'
import { Button } from '../../parts/Button.tsx'
import { Field } from '../../parts/Field.tsx'
import { Message } from '../../parts/Message.tsx'
import { useText } from '../../hooks/useText.ts'
import { WithEmail } from './WithEmail.tsx'
import { embeddedText } from '../../strings/embedded.ts'
import { CodeField } from './CodeField.tsx'
import { loginErrorText, stayingOnView, useEmbedded, useLoginName } from './useEmbedded.ts'

/**
 * Changes the email address of the wallet.
 *
 * @see docs/views.md#updateemailwallet; spec §4.12
 */
export function UpdateEmailWallet() {
  const kit = useInstance()
  const t = useText(embeddedText)
  const embedded = useEmbedded()
  const current = useLoginName()
  const [email, setEmail] = useState(current)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const isChanged = email.trim() !== current && email.trim().length > 3

  async function save() {
    const isStaying = stayingOnView(kit)
    setBusy(true)
    setError(undefined)
    try {
      const action = await embedded.client.use((client) => client.updateEmail(email))
      const data = { email: email.trim() }
      if (!isStaying()) return
      if (action === 'VERIFY_PRIMARY_OTP') push(kit, { name: 'UpdateEmailPrimaryOtp', data })
      else push(kit, { name: 'UpdateEmailSecondaryOtp', data })
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="gf-body"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && !isBusy) void save()
      }}
    >
      <Field
        type="email"
        autoComplete="email"
        icon={mail}
        label={t('embedded.email')}
        value={email}
        dir="ltr"
        disabled={isBusy}
        error={error === undefined ? undefined : loginErrorText(error, t)}
        hint={t(email.trim() === current ? 'embedded.unchanged' : 'embedded.editHint')}
        onChange={(value) => {
          setEmail(value)
          setError(undefined)
        }}
      />
      <Button
        kind={isChanged ? 'primary' : undefined}
        busy={isBusy}
        disabled={!isChanged}
        onClick={() => void save()}
      >
        {t(isBusy ? 'embedded.saving' : 'embedded.save')}
      </Button>
    </form>
  )
}

/** The code that was mailed to the current address. */
export function UpdateEmailPrimaryOtp({
  data: { email },
}: {
  data: ViewData['UpdateEmailPrimaryOtp']
}) {
  const kit = useInstance()
  const t = useText(embeddedText)
  const embedded = useEmbedded()
  const current = useLoginName()
  return (
    <ChangeCode
      title={t('embedded.currentTitle')}
      email={current}
      enter={async (code) => {
        const isStaying = stayingOnView(kit)
        await embedded.client.use((client) => client.confirmCurrentEmail(code))
        if (isStaying()) replace(kit, { name: 'UpdateEmailSecondaryOtp', data: { email } })
      }}
    />
  )
}

/** The code that was mailed to the new address. */
export function UpdateEmailSecondaryOtp({
  data: { email },
}: {
  data: ViewData['UpdateEmailSecondaryOtp']
}) {
  const kit = useInstance()
  const t = useText(embeddedText)
  const embedded = useEmbedded()
  return (
    <ChangeCode
      title={t('embedded.newTitle')}
      email={email}
      enter={async (code) => {
        const isStaying = stayingOnView(kit)
        await embedded.client.use((client) => client.confirmNewEmail(code))
        showToast(kit, 'success', t('embedded.changed'))
        if (isStaying()) returnTo(kit, { name: 'AccountSettings' })
      }}
    />
  )
}

function ChangeCode(props: {
  title: string
  email: string
  enter: (code: string) => Promise<void>
}) {
  const kit = useInstance()
  const t = useText(embeddedText)
  const [state, setState] = useState<'typing' | 'busy' | 'bad'>('typing')
  const [error, setError] = useState<unknown>()
  return (
    <div className="gf-body">
      <Message title={props.title}>
        <WithEmail text={t('embedded.currentHint')} email={props.email} />
      </Message>
      <CodeField
        label={t('embedded.code')}
        state={state}
        error={error === undefined ? undefined : loginErrorText(error, t)}
        busyText={t('embedded.moment')}
        onCode={(code) => {
          setState('busy')
          setError(undefined)
          props.enter(code).then(
            () => setState('typing'),
            (cause: unknown) => {
              setError(cause)
              setState('bad')
            },
          )
        }}
      >
        <button type="button" className="gf-link" onClick={() => goBack(kit)}>
          {t('embedded.startOver')}
        </button>
      </CodeField>
    </div>
  )
}
