/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { CodeInput, EmailInput } from '../parts/inputs.tsx'
import { loginText } from '../strings/login.ts'
import { settingsText } from '../strings/settings.ts'
import { useText } from '../strings/useText.ts'
import type { SectionProps } from './SectionProps.ts'

const sectionText = { ...loginText, ...settingsText }

/**
 * Adds an email address to a wallet that has none. The owner can then log in
 * with it, and gets notices by mail.
 */
export function AddEmail({ context, reload }: SectionProps) {
  const { api, site, projectId } = context
  const { busy, problem, run } = useWork()
  const t = useText(sectionText)
  const [email, setEmail] = useState('')
  const [changeId, setChangeId] = useState<string>()
  const [code, setCode] = useState('')
  return (
    <section class="sheet" aria-labelledby="email">
      <h2 id="email">{t('email.title')}</h2>
      <p>{t('email.hint')}</p>
      <Problem text={problem} />
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void run('email', async () => {
            if (changeId === undefined) {
              const body = { projectId, origin: site, email: email.trim() }
              return setChangeId((await api.send('email/change', body)).changeId)
            }
            await api.send('email/verify-secondary', { changeId, code: code.trim() })
            await reload()
          })
        }}
      >
        {changeId === undefined ? (
          <EmailInput value={email} onInput={setEmail} />
        ) : (
          <CodeInput email={email} origin={site} value={code} onInput={setCode} />
        )}
        <button type="submit" disabled={busy !== undefined}>
          {t(changeId === undefined ? 'login.send' : 'email.add')}
        </button>
      </form>
    </section>
  )
}
