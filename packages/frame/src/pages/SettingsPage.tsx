/** @jsxImportSource preact */
import type { FrameUser } from '@gatefold/protocol/frame'
import { useState } from 'preact/hooks'
import type { FrameConfig } from '../config.ts'
import { ApiError } from '../api/ApiError.ts'
import { Problem } from '../parts/Problem.tsx'
import { useOnce } from '../parts/useOnce.ts'
import { useWork } from '../parts/useWork.ts'
import { RestoreCard, type CardContext } from '../recovery/RestoreCard.tsx'
import type { Locked } from '../wallet/createWallet.ts'
import { LoginSheet } from './LoginSheet.tsx'
import { Settings } from './Settings.tsx'

type State =
  | { status: 'starting' }
  | { status: 'login'; needsLink?: boolean }
  | { status: 'locked'; locked: Locked }
  | { status: 'ready'; user: FrameUser }

/**
 * The settings of the wallet, in a window of the frame's origin. The window
 * counts as a separate device. @see docs/custody.md#pages
 */
export function SettingsPage({ context, config }: { context: CardContext; config: FrameConfig }) {
  const { api, wallet } = context
  const [state, setState] = useState<State>({ status: 'starting' })
  const { problem, run } = useWork()

  async function load() {
    if (!(await api.hasSession())) return setState({ status: 'login' })
    try {
      const user = await api.send('user', {})
      await wallet.prepare(user)
      const locked = await wallet.locked()
      if (locked) {
        const { methods } = locked
        if (methods && (await api.isFreshLogin()))
          return setState({ status: 'locked', locked: { ...methods, user } })
        await api.clearSession()
        return setState({ status: 'login', needsLink: user.needsCode })
      }
      // If it fails, the settings say what is left to do.
      await wallet.keepMethods(await api.send('user', {})).catch(() => {})
      setState({ status: 'ready', user: await api.send('user', {}) })
    } catch (error) {
      // The session has ended, or shares are released only after a login.
      if (!(error instanceof ApiError) || ![401, 403].includes(error.status)) throw error
      await api.clearSession()
      setState({ status: 'login' })
    }
    return undefined
  }

  useOnce(() => void run('load', load))

  async function signOut(everywhere: boolean) {
    await api.send('session/end', { everywhere })
    await api.clearSession()
    setState({ status: 'login' })
  }

  return (
    <main class="page">
      <Problem text={problem} />
      {state.status === 'login' && (
        <LoginSheet
          context={context}
          hasPasskeys={config.passkeyLogin}
          methods={config.recovery}
          needsLink={state.needsLink ?? false}
          onLogin={() => void run('load', load)}
        />
      )}
      {state.status === 'locked' && (
        <RestoreCard
          context={context}
          locked={state.locked}
          maySeePasskeys
          done={() => void run('load', load)}
          cancel={() => void run('cancel', async () => signOut(false))}
        />
      )}
      {state.status === 'ready' && (
        <Settings
          context={context}
          config={config}
          user={state.user}
          reload={load}
          signOut={signOut}
        />
      )}
    </main>
  )
}
