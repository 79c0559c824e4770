/** @jsxImportSource preact */
import type { FrameUser } from '@gatefold/protocol/frame'
import { useState } from 'preact/hooks'
import { Card } from '../parts/Card.tsx'
import { CodeInput } from '../parts/inputs.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { frameText } from '../strings/frame.ts'
import { loginText } from '../strings/login.ts'
import { recoveryText } from '../strings/recovery.ts'
import { useText } from '../strings/useText.ts'
import { WalletError } from '../wallet/WalletError.ts'
import { requestCode } from './requestCode.ts'
import type { CardContext } from './RestoreCard.tsx'

const cardText = { ...frameText, ...loginText, ...recoveryText }

/**
 * Repeats the login with a mailed code, because the server releases shares only
 * for a short time after a login.
 *
 * @param props.origin - the page that embeds the frame.
 * @see docs/custody.md#new-device
 */
export function ConfirmCard(props: {
  context: CardContext
  user: FrameUser
  origin: string
  done: () => void
  cancel: () => void
}) {
  const { context, user, origin, done, cancel } = props
  const { api, site, projectId } = context
  const { email } = user
  const work = useWork()
  const t = useText(cardText)
  const { busy, problem, run } = work
  const [code, setCode] = useState('')
  const [loginId, setLoginId] = useState<string>()
  const [isWaiting, setWaiting] = useState(false)

  async function verify() {
    const found = await api.open('login/verify', { loginId: loginId!, code: code.trim() })
    if (found.user.id !== user.id)
      throw new WalletError('This code belongs to another wallet.', 'frame.code_other')
    await api.setSession(found.session)
    done()
  }

  return (
    <Card label={t('confirm.title')} site={site} onClose={cancel} closeText={t('frame.notNow')}>
      <h1>{t('confirm.title')}</h1>
      <p class="by">{email === null ? t('confirm.noEmail') : t('confirm.hint', { email })}</p>
      <Problem text={problem} />
      {email !== null && loginId === undefined && (
        <WorkButton
          work={work}
          name="send"
          text={t(isWaiting ? 'login.openLink' : 'login.send')}
          isAccent
          onWork={async () =>
            setLoginId(await requestCode(api, { projectId, origin, email }, setWaiting))
          }
        />
      )}
      {email !== null && loginId !== undefined && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            void run('verify', verify)
          }}
        >
          <CodeInput email={email} origin={origin} value={code} onInput={setCode} />
          <button type="submit" class="accent" disabled={busy !== undefined}>
            {t(busy === undefined ? 'confirm.continue' : 'frame.checking')}
          </button>
        </form>
      )}
    </Card>
  )
}
