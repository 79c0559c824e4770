/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks'
import type { Api } from '../api/createApi.ts'
import type { Stretch } from '../custody/createStretch.ts'
import { maySeePasskeys } from '../custody/passkeys.ts'
import type { RecoveryKey } from '../custody/wraps.ts'
import { Place } from '../parts/Place.tsx'
import { useOnce } from '../parts/useOnce.ts'
import type { Locked, Wallet } from '../wallet/createWallet.ts'
import {
  hasMethod,
  prepareWindow,
  unlockWithPasskey,
  unlockWithPassword,
  type LockedKey,
} from './createUnlock.ts'
import { PasswordForm, Problem, useWork } from './MethodForm.tsx'

/** What the cards of the frame need. */
export type CardContext = {
  api: Api
  wallet: Wallet
  stretch: Stretch
  /** Origin of the frame. */
  site: string
  projectId: string
}

/**
 * Restores the wallet on this device with a passkey or a password, here or in a window of the frame's origin.
 *
 * @see docs/custody.md#new-device
 */
export function RestoreCard(props: {
  context: CardContext
  locked: Locked
  done: () => void
  cancel: () => void
}) {
  const { context, locked, done, cancel } = props
  const { wallet, stretch, site } = context
  const { busy, problem, run } = useWork()
  const card = useRef<HTMLElement>(null)
  const { digits, open, isOpen } = useWindow(context, locked, finish)
  const key: LockedKey = { ...locked, userId: locked.user.id }
  const hasPasskey = hasMethod(locked.wraps, 'passkey')
  const hasPassword = hasMethod(locked.wraps, 'password')
  const isHere = maySeePasskeys()

  useOnce(() => card.current!.focus())

  async function finish(found: RecoveryKey) {
    await wallet.unlock(found)
    done()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, for all that is inside
    <section
      ref={card}
      class="card"
      tabIndex={-1}
      role="dialog"
      aria-label="Restore your wallet"
      onKeyDown={({ key: pressed }) => {
        if (pressed === 'Escape') cancel()
      }}
    >
      <Place site={site} />
      <div class="body">
        <div class="content">
          <h1>Restore your wallet on this device</h1>
          <p class="by">
            {isOpen
              ? 'Go on in the window that has opened. It shows the same number:'
              : 'You’re logged in, but this browser doesn’t have your wallet yet.'}
          </p>
          {isOpen && <p class="digits">{digits}</p>}
          <Problem text={problem} />
          {!isOpen && hasPasskey && isHere && (
            <button
              type="button"
              class="accent"
              disabled={busy !== undefined}
              onClick={() => void run('passkey', async () => finish(await unlockWithPasskey(key)))}
            >
              {busy === 'passkey' ? 'Restoring…' : 'Use my passkey'}
            </button>
          )}
          {!isOpen && hasPasskey && !isHere && (
            <button
              type="button"
              class="accent"
              disabled={busy !== undefined || digits === undefined}
              onClick={() => void run('window', open)}
            >
              Use my passkey in a window
            </button>
          )}
          {!isOpen && hasPassword && (
            <PasswordForm
              label="Recovery password"
              action="Restore"
              busyText="Restoring…"
              isAccent={!hasPasskey}
              isBusy={busy !== undefined}
              onSubmit={(password) =>
                void run('password', async () =>
                  finish(await unlockWithPassword(key, password, stretch)),
                )
              }
            />
          )}
          {!hasPasskey && !hasPassword && (
            <p class="problem">
              This wallet has no recovery method. Use the device on which you created it.
            </p>
          )}
        </div>
      </div>
      <footer>
        <button type="button" onClick={cancel}>
          {isOpen ? 'Cancel' : 'Not now'}
        </button>
      </footer>
    </section>
  )
}

/** The window that gets the recovery key. It is prepared first, because browsers open windows only in a tap. */
function useWindow(
  context: CardContext,
  locked: Locked,
  finish: (key: RecoveryKey) => Promise<void>,
) {
  const { api, site, projectId } = context
  const [prepared, setPrepared] = useState<Awaited<ReturnType<typeof prepareWindow>>>()
  const [isOpen, setOpen] = useState(false)
  const closing = useRef(new AbortController())
  const needsWindow = hasMethod(locked.wraps, 'passkey') && !maySeePasskeys()

  useOnce(() => {
    const { current } = closing
    if (needsWindow) prepareWindow({ api, origin: site, projectId }).then(setPrepared, () => {})
    return () => current.abort()
  })

  return {
    digits: prepared?.digits,
    isOpen,
    open: async () => {
      if (!window.open(prepared!.url, '_blank', 'popup,width=440,height=680'))
        throw new Error('The browser blocked the window. Allow pop-ups for this page.')
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
