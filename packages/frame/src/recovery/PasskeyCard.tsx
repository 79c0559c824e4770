/** @jsxImportSource preact */
import { useRef } from 'preact/hooks'
import { maySeePasskeys } from '../custody/passkeys.ts'
import { Place } from '../parts/Place.tsx'
import { useOnce } from '../parts/useOnce.ts'
import { loginWithPasskey } from './loginWithPasskey.ts'
import { Problem, useWork } from './MethodForm.tsx'
import type { CardContext } from './RestoreCard.tsx'

/**
 * Logs in with a passkey alone, or creates a wallet with one. Browsers create passkeys only in a tap in this document.
 *
 * @see docs/custody.md#passkey-login
 */
export function PasskeyCard(props: {
  context: CardContext
  /** The page that asks. */
  origin: string
  done: () => void
  cancel: () => void
}) {
  const { context, origin, done, cancel } = props
  const { api, wallet, site, projectId } = context
  const { busy, problem, run } = useWork()
  const card = useRef<HTMLElement>(null)
  useOnce(() => card.current!.focus())
  const start = (isNew: boolean) =>
    void run(isNew ? 'new' : 'known', async () => {
      await loginWithPasskey({ api, wallet, projectId, origin, isNew })
      done()
    })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, for all that is inside
    <section
      ref={card}
      class="card"
      tabIndex={-1}
      role="dialog"
      aria-label="Continue with a passkey"
      onKeyDown={({ key }) => {
        if (key === 'Escape') cancel()
      }}
    >
      <Place site={site} />
      <div class="body">
        <div class="content">
          <h1>Continue with a passkey</h1>
          <p class="by">
            asked by <b dir="ltr">{new URL(origin).host}</b>
          </p>
          <Problem text={problem} />
          {maySeePasskeys() ? (
            <>
              <button
                type="button"
                class="accent"
                disabled={busy !== undefined}
                onClick={() => start(false)}
              >
                {busy === 'known' ? 'Opening…' : 'Use my passkey'}
              </button>
              <button type="button" disabled={busy !== undefined} onClick={() => start(true)}>
                {busy === 'new' ? 'Creating…' : 'Create a wallet with a passkey'}
              </button>
              <p class="by">
                The passkey is the only key to a new wallet until you add a password, a second
                passkey or a backup in the wallet’s settings.
              </p>
            </>
          ) : (
            <p class="problem">This page does not let the wallet use passkeys.</p>
          )}
        </div>
      </div>
      <footer>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </footer>
    </section>
  )
}
