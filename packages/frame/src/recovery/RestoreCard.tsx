/** @jsxImportSource preact */
import { BaseError } from '@gatefold/protocol'
import { useRef, useState } from 'preact/hooks'
import type { Api } from '../api/createApi.ts'
import type { Stretch } from '../custody/createStretch.ts'
import type { RecoveryKey } from '../custody/wraps.ts'
import { Card } from '../parts/Card.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useOnce } from '../parts/useOnce.ts'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { frameText } from '../strings/frame.ts'
import { recoveryText } from '../strings/recovery.ts'
import { useLanguage, useText } from '../strings/useText.ts'
import type { Locked, Wallet } from '../wallet/createWallet.ts'
import { hasMethod, prepareWindow } from './createUnlock.ts'
import { UnlockForm } from './UnlockForm.tsx'

/** Props that the cards of the frame share. */
export type CardContext = {
  api: Api
  wallet: Wallet
  stretch: Stretch
  /** Origin of the frame. */
  site: string
  projectId: string
}

const cardText = { ...frameText, ...recoveryText }

/**
 * Restores the wallet on this device with a passkey or a password, here or in a window of the frame's origin.
 *
 * @see docs/custody.md#new-device
 */
export function RestoreCard(props: {
  context: CardContext
  locked: Locked
  /** Whether this document may use passkeys. */
  maySeePasskeys: boolean
  done: () => void
  cancel: () => void
}) {
  const { context, locked, maySeePasskeys, done, cancel } = props
  const { wallet, stretch, site } = context
  const work = useWork()
  const t = useText(cardText)
  const hasPasskey = hasMethod(locked.wraps, 'passkey')
  const needsWindow = hasPasskey && !maySeePasskeys
  const { digits, open, isOpen } = useWindow(context, { locked, needsWindow }, finish)
  const hasPassword = hasMethod(locked.wraps, 'password')

  async function finish(found: RecoveryKey) {
    await wallet.unlock(found)
    done()
  }

  return (
    <Card
      label={t('restore.label')}
      site={site}
      onClose={cancel}
      closeText={t(isOpen ? 'frame.cancel' : 'frame.notNow')}
    >
      <h1>{t('restore.title')}</h1>
      <p class="by">{t(isOpen ? 'restore.open' : 'restore.hint')}</p>
      {isOpen && <p class="digits">{digits}</p>}
      <Problem text={work.problem} />
      {!isOpen && needsWindow && (
        <WorkButton
          work={work}
          name="window"
          text={t('restore.window')}
          isAccent
          isDisabled={digits === undefined}
          onWork={open}
        />
      )}
      {!isOpen && (
        <UnlockForm
          work={work}
          locked={{ ...locked, userId: locked.user.id }}
          stretch={stretch}
          action={t('recovery.restore')}
          busyText={t('recovery.restoring')}
          maySeePasskeys={maySeePasskeys}
          onKey={finish}
        />
      )}
      {!hasPasskey && !hasPassword && <p class="problem">{t('restore.none')}</p>}
    </Card>
  )
}

/**
 * The window that gets the recovery key. It is prepared in advance, because
 * browsers open windows only during a tap.
 */
function useWindow(
  context: CardContext,
  { locked, needsWindow }: { locked: Locked; needsWindow: boolean },
  finish: (key: RecoveryKey) => Promise<void>,
) {
  const { api, site, projectId } = context
  const [prepared, setPrepared] = useState<Awaited<ReturnType<typeof prepareWindow>>>()
  const [isOpen, setOpen] = useState(false)
  const closing = useRef(new AbortController())
  const { tag } = useLanguage()

  useOnce(() => {
    const { current } = closing
    if (needsWindow)
      prepareWindow({ api, origin: site, projectId, language: tag }).then(setPrepared, () => {})
    return () => current.abort()
  })

  return {
    digits: prepared?.digits,
    isOpen,
    open: async () => {
      if (!window.open(prepared!.url, '_blank', 'popup,width=440,height=680'))
        throw new WindowError()
      setOpen(true)
      try {
        const key = await prepared!.receive(
          { ...locked, userId: locked.user.id },
          closing.current.signal,
        )
        if (key) await finish(key)
      } finally {
        setOpen(false)
      }
    },
  }
}

/** The browser blocked the window. */
class WindowError extends BaseError {
  override name = 'WindowError'
  constructor() {
    super('The browser blocked the window. Allow pop-ups for this page.', {
      code: 'frame.blocked',
    })
  }
}
