/** @jsxImportSource preact */
import { useEffect, useMemo } from 'preact/hooks'
import { AskedBy } from '../parts/AskedBy.tsx'
import { Card } from '../parts/Card.tsx'
import { Problem } from '../parts/Problem.tsx'
import { useWork } from '../parts/useWork.ts'
import { WorkButton } from '../parts/WorkButton.tsx'
import { recoveryText } from '../strings/recovery.ts'
import { useText } from '../strings/useText.ts'
import { loginWithPasskey } from './loginWithPasskey.ts'
import type { CardContext } from './RestoreCard.tsx'

/**
 * Logs in with only a passkey, or creates a wallet with one. Browsers create
 * passkeys only during a tap in this document.
 *
 * @see docs/custody.md#passkey-login
 */
export function PasskeyCard(props: {
  context: CardContext
  /** The page that requested the login. */
  origin: string
  /** Whether this document may use passkeys. */
  maySeePasskeys: boolean
  done: () => void
  cancel: () => void
}) {
  const { context, origin, maySeePasskeys, done, cancel } = props
  const { api, wallet, site, projectId } = context
  const work = useWork()
  const t = useText(recoveryText)
  const stop = useMemo(() => new AbortController(), [])
  // Otherwise the browser's dialog could complete a login that the page has
  // cancelled.
  useEffect(() => () => stop.abort(), [stop])
  const login = async (isNew: boolean) => {
    await loginWithPasskey({ api, wallet, projectId, origin, isNew, signal: stop.signal })
    done()
  }
  return (
    <Card label={t('passkey.title')} site={site} onClose={cancel}>
      <h1>{t('passkey.title')}</h1>
      <AskedBy origin={origin} />
      <Problem text={work.problem} />
      {maySeePasskeys ? (
        <>
          <WorkButton
            work={work}
            name="known"
            text={t('recovery.passkey')}
            busyText={t('passkey.opening')}
            isAccent
            onWork={async () => login(false)}
          />
          <WorkButton
            work={work}
            name="new"
            text={t('passkey.create')}
            busyText={t('passkey.creating')}
            onWork={async () => login(true)}
          />
          <p class="by">{t('passkey.hint')}</p>
        </>
      ) : (
        <p class="problem">{t('passkey.notAllowed')}</p>
      )}
    </Card>
  )
}
