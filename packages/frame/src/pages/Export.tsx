/** @jsxImportSource preact */
import type { MethodsResponse } from '@gatefold/protocol/frame'
import { useState } from 'preact/hooks'
import { createBackup } from '../custody/createBackup.ts'
import { passwordProblem } from '../custody/wraps.ts'
import { PasswordForm } from '../parts/PasswordForm.tsx'
import { Problem } from '../parts/Problem.tsx'
import { Rich } from '../parts/Rich.tsx'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { hasMethod, unlockWithPasskey } from '../recovery/createUnlock.ts'
import { CodeInput } from '../parts/inputs.tsx'
import { frameText } from '../strings/frame.ts'
import { settingsText } from '../strings/settings.ts'
import { useText } from '../strings/useText.ts'
import { WalletError } from '../wallet/WalletError.ts'
import type { SectionProps } from './SectionProps.ts'

type Form = 'phrase' | 'backup'

const sectionText = { ...frameText, ...settingsText }

/**
 * Shows the secret phrase, or saves it in an encrypted file. This requires a
 * code that was mailed for an export; a login code is not accepted. A user
 * without an address uses a passkey of this wallet instead.
 *
 * @see docs/custody.md#backup
 */
export function Export({ context, user }: SectionProps) {
  const { api, wallet, stretch } = context
  const work = useWork()
  const t = useText(sectionText)
  /** What the visitor types before the phrase is shown. */
  const sentence = t('backup.sentence')
  const { busy, problem, setProblem, run } = work
  const [form, setForm] = useState<Form>()
  const [confirmId, setConfirmId] = useState<string>()
  const [methods, setMethods] = useState<MethodsResponse>()
  const [code, setCode] = useState('')
  const [typed, setTyped] = useState('')
  const [phrase, setPhrase] = useState<string>()
  const [isHeld, setHeld] = useState(false)
  const [file, setFile] = useState<{ url: string; name: string }>()

  async function start(next: Form) {
    if (user.email === null) {
      const found = await api.send('wallet/methods', {})
      if (!hasMethod(found.wraps, 'passkey'))
        throw new WalletError('Add an email address first.', 'frame.export_email')
      setMethods(found)
    } else setConfirmId((await api.send('export/code', {})).confirmId)
    setForm(next)
  }

  /** Checks the code, or the passkey of a user without an address; the server notifies the user. */
  async function confirm() {
    if (methods) {
      // The key is not needed, but another user's passkey does not open it.
      const { recoveryId, wraps } = methods
      const { bytes } = await unlockWithPasskey({ recoveryId, userId: user.id, wraps })
      bytes.fill(0)
    }
    await api.send('audit/export', {
      form: form!,
      ...(confirmId !== undefined && { confirmId, code: code.trim() }),
    })
    return wallet.phrase()
  }

  function close() {
    if (file) URL.revokeObjectURL(file.url)
    setForm(undefined)
    setConfirmId(undefined)
    setMethods(undefined)
    setCode('')
    setTyped('')
    setPhrase(undefined)
    setFile(undefined)
    setProblem(undefined)
  }

  const isReady = (confirmId !== undefined || methods !== undefined) && !phrase && !file
  return (
    <section class="sheet" aria-labelledby="backup">
      <h2 id="backup">{t('backup.title')}</h2>
      <p>{t('backup.hint')}</p>
      <Problem text={problem} />
      {form === undefined && (
        <>
          <WorkButton
            work={work}
            name="backup"
            text={t('backup.save')}
            onWork={async () => start('backup')}
          />
          <WorkButton
            work={work}
            name="phrase"
            text={t('backup.phrase')}
            onWork={async () => start('phrase')}
          />
        </>
      )}
      {form !== undefined && confirmId !== undefined && user.email !== null && isReady && (
        <CodeInput email={user.email} origin={context.site} value={code} onInput={setCode} />
      )}
      {form === 'phrase' && isReady && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            void run('show', async () => setPhrase(await confirm()))
          }}
        >
          <label class="field">
            <span>{t('backup.type', { sentence })}</span>
            <input
              type="text"
              autocomplete="off"
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
          <button
            type="submit"
            class="accent"
            disabled={busy !== undefined || typed.trim().toLowerCase() !== sentence.toLowerCase()}
          >
            {t('backup.show')}
          </button>
        </form>
      )}
      {form === 'backup' && isReady && (
        <PasswordForm
          label={t('backup.password')}
          action={t('backup.saveFile')}
          busyText={t('backup.encrypting')}
          isNew
          isAccent
          work={work}
          check={(password) => passwordProblem(password, user.email)}
          onWork={async (password) => {
            const secret = await confirm()
            const { eip155, solana } = user.wallet!
            const backup = await createBackup({
              phrase: secret,
              password,
              accounts: { eip155, solana },
              now: Date.now(),
              stretch,
            })
            const blob = new Blob([`${JSON.stringify(backup, null, 2)}\n`], {
              type: 'application/json',
            })
            setFile({
              url: URL.createObjectURL(blob),
              name: `gatefold-backup-${eip155.slice(2, 8)}.json`,
            })
          }}
        />
      )}
      {phrase !== undefined && (
        <>
          <ol
            class="phrase"
            dir="ltr"
            data-hidden={!isHeld}
            aria-hidden={!isHeld}
            aria-label={t('backup.phraseLabel')}
          >
            {phrase.split(' ').map((word, index) => (
              <li key={`${index} ${word}`}>{isHeld ? word : '••••••'}</li>
            ))}
          </ol>
          <button
            type="button"
            class="accent"
            onPointerDown={() => setHeld(true)}
            onPointerUp={() => setHeld(false)}
            onPointerLeave={() => setHeld(false)}
            onKeyDown={({ key }) => {
              if (key === ' ' || key === 'Enter') setHeld(true)
            }}
            onKeyUp={() => setHeld(false)}
            onBlur={() => setHeld(false)}
          >
            {t('backup.hold')}
          </button>
        </>
      )}
      {file && (
        <>
          <p>
            <Rich
              text={t('backup.fileHint')}
              values={{ command: <code dir="ltr">gatefold backup open</code> }}
            />
          </p>
          <a class="button" href={file.url} download={file.name}>
            {t('backup.download', { file: file.name })}
          </a>
        </>
      )}
      {form !== undefined && (
        <button type="button" disabled={busy !== undefined} onClick={close}>
          {t(phrase !== undefined || file ? 'backup.done' : 'frame.cancel')}
        </button>
      )}
    </section>
  )
}
