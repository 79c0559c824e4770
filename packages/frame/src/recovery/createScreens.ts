import type { FrameUser } from '@gatefold/protocol/frame'
import { RejectedError } from '../approval/createApprovals.ts'
import type { LockedKey, RecoveryKey } from '../custody/wraps.ts'
import type { Locked } from '../wallet/createWallet.ts'

/** What the visitor has to do before the wallet can sign on this device, or to log in. */
export type Screen =
  | { name: 'restore'; locked: Locked }
  /** A repeated login before the restore, for a page. */
  | { name: 'confirm'; user: FrameUser; origin: string }
  | { name: 'protect'; user: FrameUser }
  /** A passkey in addition to automatic recovery. */
  | { name: 'offer'; user: FrameUser }
  /** The recovery key for an operation without the server. */
  | { name: 'alone'; locked: LockedKey; onKey: (key: RecoveryKey) => void }
  /** A login for a page. */
  | { name: 'passkey'; origin: string }

export type ShownScreen = Screen & { done: () => void; cancel: () => void }

export type Screens = {
  /**
   * Shows a screen until the visitor has completed it. If that screen is
   * already shown, the caller waits for it too.
   *
   * @throws {RejectedError} if the visitor closes it.
   */
  show(screen: Screen): Promise<void>
  /**
   * Asks for the recovery key, for an operation without the server.
   *
   * @throws {RejectedError} if the visitor closes the screen, or it is shown for another operation.
   */
  askKey(locked: LockedKey): Promise<RecoveryKey>
  /** Closes the screen that is shown. */
  cancel(): void
  /** Calls a listener with the screen to show. */
  watch(listener: (shown: ShownScreen | undefined) => void): void
}

/** Creates the screens of the frame. One is shown at a time. */
export function createScreens(): Screens {
  let shown: { screen: ShownScreen; ended: Promise<void> } | undefined
  let listener: Parameters<Screens['watch']>[0] = () => {}

  async function show(screen: Screen): Promise<void> {
    if (shown?.screen.name === screen.name) return shown.ended
    await shown?.ended
    let done = () => {}
    let cancel = () => {}
    const ended = new Promise<void>((resolve, reject) => {
      done = resolve
      cancel = () => reject(new RejectedError())
    }).finally(() => {
      shown = undefined
      listener(undefined)
    })
    shown = { screen: { ...screen, done: () => done(), cancel: () => cancel() }, ended }
    listener(shown.screen)
    return ended
  }

  return {
    show,
    async askKey(locked) {
      let found: RecoveryKey | undefined
      await show({ name: 'alone', locked, onKey: (key) => (found = key) })
      if (!found) throw new RejectedError()
      return found
    },
    cancel: () => shown?.screen.cancel(),
    watch(next) {
      listener = next
    },
  }
}
