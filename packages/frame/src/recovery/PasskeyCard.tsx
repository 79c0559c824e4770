/** @jsxImportSource preact */
import { useEffect, useMemo } from 'preact/hooks'
import { Card } from '../parts/Card.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { loginWithPasskey } from './loginWithPasskey.ts'
import type { CardContext } from './RestoreCard.tsx'

/**
 * Logs in with a passkey alone, or creates a wallet with one. Browsers create passkeys only in a tap in this document.
 *
 * @see docs/custody.md#passkey-login
 */
export function PasskeyCard(props: {
  context: CardContext
  /** The page that asks. */
  origin: string
  /** Whether this document may use passkeys. */
  maySeePasskeys: boolean
  done: () => void
  cancel: () => void
}) {
  const { context, origin, maySeePasskeys, done, cancel } = props
  const { api, wallet, site, projectId } = context
  const work = useWork()
  const stop = useMemo(() => new AbortController(), [])
  // Otherwise the browser's dialog could still log in after the page has cancelled the login.
  useEffect(() => () => stop.abort(), [stop])
  const login = async (isNew: boolean) => {
    await loginWithPasskey({ api, wallet, projectId, origin, isNew, signal: stop.signal })
    done()
  }
  return (
    <Card label="Continue with a passkey" site={site} onClose={cancel}>
      <h1>Continue with a passkey</h1>
      <p class="by">
        asked by <b dir="ltr">{new URL(origin).host}</b>
      </p>
      <Problem text={work.problem} />
      {maySeePasskeys ? (
        <>
          <WorkButton
            work={work}
            name="known"
            text="Use my passkey"
            busyText="Opening…"
            isAccent
            onWork={async () => login(false)}
          />
          <WorkButton
            work={work}
            name="new"
            text="Create a wallet with a passkey"
            busyText="Creating…"
            onWork={async () => login(true)}
          />
          <p class="by">
            The passkey is the only key to a new wallet until you add a password, a second passkey
            or a backup in the wallet’s settings.
          </p>
        </>
      ) : (
        <p class="problem">This page does not let the wallet use passkeys.</p>
      )}
    </Card>
  )
}
