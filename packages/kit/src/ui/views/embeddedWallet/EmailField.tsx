import { useEffect, useRef, useState } from 'react'

import { push } from '../../../core/view/navigate.ts'
import { useInstance } from '../../../react/context.ts'
import { go, spin } from '../../icons/base.ts'
import { mail } from '../../icons/embedded.ts'
import { Field } from '../../parts/Field.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Style } from '../../parts/Style.tsx'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import css from '../../styles/embedded.css?inline'
import { loadView } from '../../views.ts'
import {
  connectEmbedded,
  loginErrorText,
  stayingOnView,
  useEmbedded,
  useIsLoggedIn,
} from './useEmbedded.ts'

/**
 * Minimum number of characters of an address that can be sent. @see
 * docs/views.md#email
 */
const minLength = 4

/**
 * The field for an email address, to which a code is sent.
 *
 * @param props.hint - shown below the field
 * @see docs/views.md#email; spec §4.12
 */
export function EmailField({ hint }: { hint?: string }) {
  const kit = useInstance()
  const t = useText(embeddedText)
  const embedded = useEmbedded()
  const isLoggedIn = useIsLoggedIn()
  const [email, setEmail] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const form = useRef<HTMLFormElement>(null)
  const hadError = error !== undefined
  useEffect(() => {
    // The alert below the field announces the error; the focus stays in the
    // field.
    if (hadError) form.current?.querySelector('input')?.focus()
  }, [hadError])

  async function send() {
    if (isBusy || email.length < minLength) return
    const isStaying = stayingOnView(kit)
    setBusy(true)
    setError(undefined)
    try {
      const action = await embedded.client.use((client) => client.connectEmail(email))
      if (!isStaying()) return
      const data = { email: email.trim() }
      if (action === 'VERIFY_OTP') push(kit, { name: 'EmailVerifyOtp', data })
      else if (action === 'VERIFY_DEVICE') push(kit, { name: 'EmailVerifyDevice', data })
      else await connectEmbedded(kit)
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  const prepare = () => {
    embedded.preload().catch(() => {}) // reported when the address is sent
    loadView('EmailVerifyOtp').catch(() => {})
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the focus of the field inside
    <form
      ref={form}
      className="gf-section"
      noValidate
      onFocus={prepare}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Style css={css} />
      <Field
        type="email"
        autoComplete="email"
        icon={mail}
        label={t('embedded.email')}
        placeholder={t('embedded.placeholder')}
        value={email}
        dir="ltr"
        disabled={isBusy || isLoggedIn}
        error={error === undefined ? undefined : loginErrorText(error, t)}
        hint={isBusy ? t('embedded.sending') : hint}
        onChange={(value) => {
          setEmail(value)
          setError(undefined)
        }}
        end={
          isBusy ? (
            <span className="gf-email-busy">
              <Icon d={spin} spin />
            </span>
          ) : (
            email.length >= minLength && (
              <button type="submit" className="gf-email-send" aria-label={t('embedded.send')}>
                <Icon d={go} flip />
              </button>
            )
          )
        }
      />
    </form>
  )
}

/** The field as a connect method. */
export function EmailBlock() {
  return <EmailField />
}
