/** @jsxImportSource preact */
import type { FrameUser } from '@gatefold/protocol/frame'
import { useState } from 'preact/hooks'
import { Card } from '../parts/Card.tsx'
import { CodeInput } from '../parts/inputs.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { WalletError } from '../wallet/createWallet.ts'
import { requestCode } from './requestCode.ts'
import type { CardContext } from './RestoreCard.tsx'

/**
 * Repeats a login by mailed code, because the server releases shares only shortly after one.
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
  const { busy, problem, run } = work
  const [code, setCode] = useState('')
  const [loginId, setLoginId] = useState<string>()
  const [isWaiting, setWaiting] = useState(false)

  async function verify() {
    const found = await api.open('login/verify', { loginId: loginId!, code: code.trim() })
    if (found.user.id !== user.id) throw new WalletError('This code belongs to another wallet.')
    await api.setSession(found.session)
    done()
  }

  return (
    <Card label="Confirm it’s you" site={site} onClose={cancel} closeText="Not now">
      <h1>Confirm it’s you</h1>
      <p class="by">
        {email === null
          ? 'This browser doesn’t have your wallet yet, and you logged in a while ago. Log out of this site and log in again to restore it.'
          : `This browser doesn’t have your wallet yet. To restore it, enter a code from a mail to ${email}.`}
      </p>
      <Problem text={problem} />
      {email !== null && loginId === undefined && (
        <WorkButton
          work={work}
          name="send"
          text={isWaiting ? 'Open the link in the mail…' : 'Send a code'}
          isAccent
          onWork={async () =>
            setLoginId(await requestCode(api, { projectId, origin, email }, setWaiting))
          }
        />
      )}
      {loginId !== undefined && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            void run('verify', verify)
          }}
        >
          <CodeInput label={`Code from the mail to ${email}`} value={code} onInput={setCode} />
          <button type="submit" class="accent" disabled={busy !== undefined}>
            {busy === undefined ? 'Continue' : 'Checking…'}
          </button>
        </form>
      )}
    </Card>
  )
}
