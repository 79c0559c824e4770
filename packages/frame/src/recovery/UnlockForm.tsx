/** @jsxImportSource preact */
import type { Stretch } from '../custody/createStretch.ts'
import type { LockedKey, RecoveryKey } from '../custody/wraps.ts'
import { PasswordForm } from '../parts/PasswordForm.tsx'
import type { Work } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { recoveryText } from '../strings/recovery.ts'
import { useText } from '../strings/useText.ts'
import { hasMethod, unlockWithPasskey, unlockWithPassword } from './createUnlock.ts'

/**
 * Gets the recovery key with a passkey or the password, depending on the
 * wallet's methods.
 */
export function UnlockForm(props: {
  work: Work
  locked: LockedKey
  stretch: Stretch
  /** The purpose of entering the password. */
  action: string
  busyText: string
  /** Whether this document may use passkeys. */
  maySeePasskeys?: boolean
  onKey: (key: RecoveryKey) => unknown
}) {
  const { work, locked, stretch, action, busyText, maySeePasskeys = true, onKey } = props
  const t = useText(recoveryText)
  const hasPasskey = hasMethod(locked.wraps, 'passkey')
  return (
    <>
      {hasPasskey && maySeePasskeys && (
        <WorkButton
          work={work}
          name="passkey"
          text={t('recovery.passkey')}
          busyText={busyText}
          isAccent
          onWork={async () => onKey(await unlockWithPasskey(locked))}
        />
      )}
      {hasMethod(locked.wraps, 'password') && (
        <PasswordForm
          work={work}
          label={t('recovery.password')}
          action={action}
          busyText={busyText}
          isAccent={!hasPasskey}
          onWork={async (password) => onKey(await unlockWithPassword(locked, password, stretch))}
        />
      )}
    </>
  )
}
