/** @jsxImportSource preact */
import type { Stretch } from '../custody/createStretch.ts'
import type { LockedKey, RecoveryKey } from '../custody/wraps.ts'
import { PasswordForm } from '../parts/PasswordForm.tsx'
import type { Work } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { hasMethod, unlockWithPasskey, unlockWithPassword } from './createUnlock.ts'

/** Gets the recovery key with a passkey or the password, whichever the wallet has. */
export function UnlockForm(props: {
  work: Work
  locked: LockedKey
  stretch: Stretch
  /** What the password is entered for. */
  action: string
  busyText: string
  /** Whether this document may use passkeys. */
  maySeePasskeys?: boolean
  onKey: (key: RecoveryKey) => unknown
}) {
  const { work, locked, stretch, action, busyText, maySeePasskeys = true, onKey } = props
  const hasPasskey = hasMethod(locked.wraps, 'passkey')
  return (
    <>
      {hasPasskey && maySeePasskeys && (
        <WorkButton
          work={work}
          name="passkey"
          text="Use my passkey"
          busyText={busyText}
          isAccent
          onWork={async () => onKey(await unlockWithPasskey(locked))}
        />
      )}
      {hasMethod(locked.wraps, 'password') && (
        <PasswordForm
          work={work}
          label="Recovery password"
          action={action}
          busyText={busyText}
          isAccent={!hasPasskey}
          onWork={async (password) => onKey(await unlockWithPassword(locked, password, stretch))}
        />
      )}
    </>
  )
}
