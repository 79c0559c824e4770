/** @jsxImportSource preact */
import type { LockedKey, RecoveryKey } from '../custody/wraps.ts'
import { Card } from '../parts/Card.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { recoveryText } from '../strings/recovery.ts'
import { useText } from '../strings/useText.ts'
import { hasMethod } from './createUnlock.ts'
import type { CardContext } from './RestoreCard.tsx'
import { UnlockForm } from './UnlockForm.tsx'

/**
 * Asks for the recovery key while the server does not release its share: the
 * recovery key and this device's share are enough for an operation. A window of
 * the frame's origin cannot help here, because its result is forwarded by the
 * server.
 *
 * @see docs/custody.md#without-the-server
 */
export function AloneCard(props: {
  context: CardContext
  locked: LockedKey
  /** Whether this document may use passkeys. */
  maySeePasskeys: boolean
  onKey: (key: RecoveryKey) => void
  done: () => void
  cancel: () => void
}) {
  const { context, locked, maySeePasskeys, onKey, done, cancel } = props
  const { stretch, site } = context
  const work = useWork()
  const t = useText(recoveryText)
  const canUnlock = hasMethod(locked.wraps, 'password') || maySeePasskeys
  return (
    <Card label={t('alone.label')} site={site} onClose={cancel}>
      <h1>{t('alone.title')}</h1>
      <p class="by">{t(canUnlock ? 'alone.hint' : 'alone.noPasskeys')}</p>
      <Problem text={work.problem} />
      <UnlockForm
        work={work}
        locked={locked}
        stretch={stretch}
        action={t('alone.sign')}
        busyText={t('alone.signing')}
        maySeePasskeys={maySeePasskeys}
        onKey={(key) => {
          onKey(key)
          done()
        }}
      />
    </Card>
  )
}
