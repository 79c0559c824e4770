/** @jsxImportSource preact */
import type { FrameUser, RecoveryMethod } from '@gatefold/protocol/frame'
import { useRef } from 'preact/hooks'
import { createPasskey, maySeePasskeys } from '../custody/passkeys.ts'
import { passwordProblem, wrapWithPasskey, wrapWithPassword } from '../custody/wraps.ts'
import { Place } from '../parts/Place.tsx'
import { useOnce } from '../parts/useOnce.ts'
import type { CardContext } from './RestoreCard.tsx'
import { PasswordForm, Problem, useWork } from './MethodForm.tsx'
import { toPasskeyName } from './toPasskeyName.ts'

/**
 * Sets up the first recovery method of a wallet that has none: without one, the wallet ends with this browser's storage.
 *
 * @see docs/custody.md#recovery-methods
 */
export function ProtectCard(props: {
  context: CardContext
  user: FrameUser
  methods: readonly RecoveryMethod[]
  done: () => void
  cancel: () => void
}) {
  const { context, user, methods, done, cancel } = props
  const { wallet, stretch, site } = context
  const { busy, problem, setProblem, run } = useWork()
  const card = useRef<HTMLElement>(null)
  const change = { user, version: user.recovery?.version ?? 0, key: undefined, isAutomatic: false }

  useOnce(() => card.current!.focus())

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, for all that is inside
    <section
      ref={card}
      class="card"
      tabIndex={-1}
      role="dialog"
      aria-label="Protect your wallet"
      onKeyDown={({ key }) => {
        if (key === 'Escape') cancel()
      }}
    >
      <Place site={site} />
      <div class="body">
        <div class="content">
          <h1>Protect your wallet first</h1>
          <p class="by">
            With this, you restore it on another device. Nobody can do that for you: without it, the
            wallet is lost when this browser’s data is cleared.
          </p>
          <Problem text={problem} />
          {methods.includes('passkey') && maySeePasskeys() && (
            <button
              type="button"
              class="accent"
              disabled={busy !== undefined}
              onClick={() =>
                void run('passkey', async () => {
                  const name = toPasskeyName(navigator.userAgent)
                  const passkey = await createPasskey({
                    userId: user.id,
                    userName: user.email ?? user.userName ?? 'Wallet',
                  })
                  await wallet.changeMethods({
                    ...change,
                    toWraps: async (key) => [
                      await wrapWithPasskey(key, { ...passkey, name }, Date.now()),
                    ],
                  })
                  done()
                })
              }
            >
              {busy === 'passkey' ? 'Saving…' : 'Create a passkey'}
            </button>
          )}
          {methods.includes('password') && (
            <PasswordForm
              label="Recovery password"
              action="Set the password"
              busyText="Saving…"
              isNew
              isBusy={busy !== undefined}
              onSubmit={(password) => {
                const wrong = passwordProblem(password, user.email)
                if (wrong !== undefined) return setProblem(wrong)
                void run('password', async () => {
                  await wallet.changeMethods({
                    ...change,
                    toWraps: async (key) => [
                      await wrapWithPassword(key, password, { stretch, now: Date.now() }),
                    ],
                  })
                  done()
                })
              }}
            />
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
