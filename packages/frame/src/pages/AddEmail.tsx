/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { CodeInput, EmailInput } from '../parts/inputs.tsx'
import type { SectionProps } from './SectionProps.ts'

/** Adds an e-mail address to a wallet that has none, with which its owner can log in and gets notices. */
export function AddEmail({ context, reload }: SectionProps) {
  const { api, site, projectId } = context
  const { busy, problem, run } = useWork()
  const [email, setEmail] = useState('')
  const [changeId, setChangeId] = useState<string>()
  const [code, setCode] = useState('')
  return (
    <section class="sheet" aria-labelledby="email">
      <h2 id="email">E-mail address</h2>
      <p>With an address, you can log in without the passkey, and get a mail about each change.</p>
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
          <CodeInput label={`Code from the mail to ${email}`} value={code} onInput={setCode} />
        )}
        <button type="submit" disabled={busy !== undefined}>
          {changeId === undefined ? 'Send a code' : 'Add the address'}
        </button>
      </form>
    </section>
  )
}
