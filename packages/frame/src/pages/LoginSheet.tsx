/** @jsxImportSource preact */
import type { RecoveryMethod } from '@gatefold/protocol/frame'
import { useMemo, useState } from 'preact/hooks'
import { Place } from '../parts/Place.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { createPasskeyLogin } from '../recovery/createPasskeyLogin.ts'
import { requestCode } from '../recovery/requestCode.ts'
import type { CardContext } from '../recovery/RestoreCard.tsx'
import { CodeInput, EmailInput } from '../parts/inputs.tsx'
import { loginText } from '../strings/login.ts'
import { settingsText } from '../strings/settings.ts'
import { useText } from '../strings/useText.ts'

const sheetText = { ...loginText, ...settingsText }

/** Logs in to a page of the frame's origin with a mailed code. */
export function LoginSheet(props: {
  context: CardContext
  /** Whether visitors can log in with only a passkey. */
  hasPasskeys: boolean
  /** The recovery methods that the project offers. */
  methods: readonly RecoveryMethod[]
  /** Whether the last login must be confirmed by another one, with a mailed link. */
  needsLink: boolean
  onLogin: () => void
}) {
  const { context, hasPasskeys, methods, needsLink, onLogin } = props
  const { api, wallet, site, projectId } = context
  const work = useWork()
  const t = useText(sheetText)
  const { busy, problem, run } = work
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [loginId, setLoginId] = useState<string>()
  const [isWaiting, setWaiting] = useState(false)
  const logIn = useMemo(
    () => createPasskeyLogin({ api, wallet, projectId, origin: site, methods }),
    [api, wallet, projectId, site, methods],
  )

  async function sendCode() {
    const request = { projectId, origin: site, email: email.trim() }
    setLoginId(await requestCode(api, request, setWaiting))
  }

  async function verify() {
    const { session } = await api.open('login/verify', { loginId: loginId!, code: code.trim() })
    await api.setSession(session)
    setLoginId(undefined)
    setCode('')
    onLogin()
  }

  return (
    <section class="sheet">
      <Place site={site} />
      <h1>{t('settings.title')}</h1>
      <p>{t(needsLink ? 'settings.confirm' : 'settings.login')}</p>
      <Problem text={problem} />
      {hasPasskeys && loginId === undefined && (
        <WorkButton
          work={work}
          name="passkey"
          text={t('settings.usePasskey')}
          onWork={async () => {
            await logIn({ isNew: false })
            onLogin()
          }}
        />
      )}
      {loginId === undefined ? (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            void run('send', sendCode)
          }}
        >
          <EmailInput value={email} onInput={setEmail} />
          <button type="submit" class="accent" disabled={busy !== undefined}>
            {t(isWaiting ? 'login.openLink' : 'login.send')}
          </button>
        </form>
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            void run('verify', verify)
          }}
        >
          <CodeInput email={email} origin={site} value={code} onInput={setCode} />
          <button type="submit" class="accent" disabled={busy !== undefined}>
            {t('settings.logIn')}
          </button>
        </form>
      )}
    </section>
  )
}
