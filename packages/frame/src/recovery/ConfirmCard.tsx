/** @jsxImportSource preact */
import type { FrameUser } from '@gatefold/protocol/frame'
import { useRef, useState } from 'preact/hooks'
import { CodeInput } from '../parts/CodeInput.tsx'
import { Place } from '../parts/Place.tsx'
import { useOnce } from '../parts/useOnce.ts'
import { WalletError } from '../wallet/createWallet.ts'
import { Problem, useWork } from './MethodForm.tsx'
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
  const { busy, problem, run } = useWork()
  const card = useRef<HTMLElement>(null)
  const [code, setCode] = useState('')
  const [loginId, setLoginId] = useState<string>()
  const [isWaiting, setWaiting] = useState(false)

  useOnce(() => card.current!.focus())

  async function verify() {
    const found = await api.open('login/verify', { loginId: loginId!, code: code.trim() })
    if (found.user.id !== user.id) throw new WalletError('This code belongs to another wallet.')
    await api.setSession(found.session)
    done()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, for all that is inside
    <section
      ref={card}
      class="card"
      tabIndex={-1}
      role="dialog"
      aria-label="Confirm it’s you"
      onKeyDown={({ key }) => {
        if (key === 'Escape') cancel()
      }}
    >
      <Place site={site} />
      <div class="body">
        <div class="content">
          <h1>Confirm it’s you</h1>
          <p class="by">
            {email === null
              ? 'This browser doesn’t have your wallet yet, and you logged in a while ago. Log out of this site and log in again to restore it.'
              : `This browser doesn’t have your wallet yet. To restore it, enter a code from a mail to ${email}.`}
          </p>
          <Problem text={problem} />
          {email !== null && loginId === undefined && (
            <button
              type="button"
              class="accent"
              disabled={busy !== undefined}
              onClick={() =>
                void run('send', async () =>
                  setLoginId(await requestCode(api, { projectId, origin, email }, setWaiting)),
                )
              }
            >
              {isWaiting ? 'Open the link in the mail…' : 'Send a code'}
            </button>
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
        </div>
      </div>
      <footer>
        <button type="button" onClick={cancel}>
          Not now
        </button>
      </footer>
    </section>
  )
}
