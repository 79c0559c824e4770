/** @jsxImportSource preact */
import type { FrameUser, RecoveryMethod } from '@gatefold/protocol/frame'
import { passwordProblem, wrapWithPassword } from '../custody/wraps.ts'
import { Card } from '../parts/Card.tsx'
import { PasswordForm } from '../parts/PasswordForm.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { frameText } from '../strings/frame.ts'
import { recoveryText } from '../strings/recovery.ts'
import { useText } from '../strings/useText.ts'
import type { MethodsChange } from '../wallet/createMethodsChanges.ts'
import { createRecoveryPasskey } from './createRecoveryPasskey.ts'
import type { CardContext } from './RestoreCard.tsx'

const cardText = { ...frameText, ...recoveryText }

/**
 * Sets up the first recovery method of a wallet. Without one, the wallet is
 * lost when this browser's storage is cleared.
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
  const t = useText(cardText)
  const canUsePasskey = methods.includes('passkey') && maySeePasskeys
  const canSetPassword = methods.includes('password')
  const canProtect = canUsePasskey || canSetPassword

  async function protect(toWrap: MethodsChange['toWrap']) {
    const change = { methods: undefined, key: undefined, isAutomatic: false, kept: [] }
    await wallet.changeMethods({ user, ...change, toWrap })
    done()
  }

  return (
    <Card label={t('protect.label')} site={site} onClose={cancel}>
      <h1>{t('protect.title')}</h1>
      {canProtect ? (
        <p class="by">{t('protect.hint')}</p>
      ) : (
        <p class="problem">{t('protect.none')}</p>
      )}
      <Problem text={work.problem} />
      {canUsePasskey && (
        <WorkButton
          work={work}
          name="passkey"
          text={t('recovery.createPasskey')}
          busyText={t('frame.saving')}
          isAccent
          onWork={async () => {
            await protect(await createRecoveryPasskey(user))
          }}
        />
      )}
      {canSetPassword && (
        <PasswordForm
          work={work}
          label={t('recovery.password')}
          action={t('protect.set')}
          busyText={t('frame.saving')}
          isNew
          check={(password) => passwordProblem(password, user.email)}
          onWork={async (password) =>
            protect((key) => wrapWithPassword(key, password, { stretch, now: Date.now() }))
          }
        />
      )}
    </Card>
  )
}
