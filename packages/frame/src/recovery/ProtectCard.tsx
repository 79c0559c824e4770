/** @jsxImportSource preact */
import type { FrameUser, RecoveryMethod } from '@gatefold/protocol/frame'
import { passwordProblem, wrapWithPassword } from '../custody/wraps.ts'
import { Card } from '../parts/Card.tsx'
import { PasswordForm } from '../parts/PasswordForm.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import type { ToWraps } from '../wallet/createWallet.ts'
import { createRecoveryPasskey } from './createRecoveryPasskey.ts'
import type { CardContext } from './RestoreCard.tsx'

/**
 * Sets up the first recovery method of a wallet that has none: without one, the wallet ends with this browser's storage.
 *
 * @see docs/custody.md#recovery-methods
 */
export function ProtectCard(props: {
  context: CardContext
  user: FrameUser
  methods: readonly RecoveryMethod[]
  /** Whether this document may use passkeys. */
  maySeePasskeys: boolean
  done: () => void
  cancel: () => void
}) {
  const { context, user, methods, maySeePasskeys, done, cancel } = props
  const { wallet, stretch, site } = context
  const work = useWork()

  async function protect(toWraps: ToWraps) {
    const version = user.recovery?.version ?? 0
    await wallet.changeMethods({ user, version, key: undefined, isAutomatic: false, toWraps })
    done()
  }

  return (
    <Card label="Protect your wallet" site={site} onClose={cancel}>
      <h1>Protect your wallet first</h1>
      <p class="by">
        With this, you restore it on another device. Nobody can do that for you: without it, the
        wallet is lost when this browser’s data is cleared.
      </p>
      <Problem text={work.problem} />
      {methods.includes('passkey') && maySeePasskeys && (
        <WorkButton
          work={work}
          name="passkey"
          text="Create a passkey"
          busyText="Saving…"
          isAccent
          onWork={async () => {
            const toWrap = await createRecoveryPasskey(user)
            await protect(async (key) => [await toWrap(key)])
          }}
        />
      )}
      {methods.includes('password') && (
        <PasswordForm
          work={work}
          label="Recovery password"
          action="Set the password"
          busyText="Saving…"
          isNew
          check={(password) => passwordProblem(password, user.email)}
          onWork={async (password) =>
            protect(async (key) => [
              await wrapWithPassword(key, password, { stretch, now: Date.now() }),
            ])
          }
        />
      )}
    </Card>
  )
}
